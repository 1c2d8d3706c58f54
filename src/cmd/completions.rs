//! Completion scripts, which offer values where there is a list of them.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;

use super::board::FORMS;
use super::solve::MOVES_AS;
use crate::harness::analysis::Measure;
use crate::harness::record::RowFormat;
use crate::harness::suite::BUILT_IN;
use crate::heuristic::Estimate;
use crate::lookup::Collection;
use crate::puzzle::{Costs, Goal, Metric, Size};
use crate::search::{Algorithm, EngineChoice, Prune, Pruning};

/// The script for a shell.
pub fn script(command: Command, shell: Shell) -> anyhow::Result<String> {
    let mut script = Vec::new();
    let mut command = offering(command);
    clap_complete::generate(shell, &mut command, "slidebench", &mut script);
    let script = String::from_utf8(script)?;
    let suites = BUILT_IN.map(|it| it.name);
    Ok(match shell {
        Shell::Bash => bash_with_files(script, &suites.join("|")),
        Shell::Fish => fish_with_suites(script, &suites.join(" ")),
        Shell::Zsh => zsh_with_files(script, &suites.join(" ")),
        _ => script,
    })
}

/// Where bash offers suites it offers nothing else, and files only where no suite fits.
fn bash_with_files(script: String, suites: &str) -> String {
    let with_files = format!(
        r#"
# A suite is a name or a file.
_slidebench_with_files() {{
    _slidebench "$@"
    local word IFS=$'\n'
    for word in "${{COMPREPLY[@]}}"; do
        case "${{word}}" in
            {suites})
                COMPREPLY+=( $(compgen -f -- "$2") )
                compopt -o filenames 2> /dev/null
                return 0
                ;;
        esac
    done
}}
"#
    );
    let script = script.replace(
        "complete -F _slidebench ",
        "complete -F _slidebench_with_files ",
    );
    let end = script
        .rfind("\nif [[ \"${BASH_VERSINFO")
        .unwrap_or(script.len());
    format!("{}{with_files}{}", &script[..end], &script[end..])
}

/// By itself fish offers only files where no flag stands.
fn fish_with_suites(mut script: String, suites: &str) -> String {
    let used = "__fish_slidebench_using_subcommand";
    for of in [
        format!("{used} run"),
        format!("{used} suite; and __fish_seen_subcommand_from show export"),
    ] {
        script += &format!("complete -c slidebench -n \"{of}\" -a \"{suites}\"\n");
    }
    script
}

/// A list of values is all that zsh offers; and behind `*::` it offers no flags, which people type behind a suite.
fn zsh_with_files(script: String, suites: &str) -> String {
    let with_files = format!(
        "# A suite is a name or a file.\n\
         (( $+functions[_slidebench_suites] )) ||\n\
         _slidebench_suites() {{\n    \
             _alternative 'suites:suite:({suites})' 'files:file:_files'\n\
         }}\n\n"
    );
    let script = script.replace(&format!(":({suites})'"), ":_slidebench_suites'");
    let script = script.replace("\n'*::", "\n'*:");
    let end = script
        .rfind("if [ \"$funcstack[1]\"")
        .unwrap_or(script.len());
    format!("{}{with_files}{}", &script[..end], &script[end..])
}

/// The command with values to choose from. The flags themselves take more: lists, names of files,
/// partitions that a user draws.
fn offering(command: Command) -> Command {
    command.mut_args(offer).mut_subcommands(offering)
}

fn offer(arg: Arg) -> Arg {
    let values = match arg.get_id().as_str() {
        "algorithm" => Algorithm::ALL.map(|it| it.to_string()).to_vec(),
        "heuristic" => heuristics(),
        "engine" => EngineChoice::ALL.map(|it| it.to_string()).to_vec(),
        "prune" => prunings(),
        "goal" => Goal::NAMED.map(|it| it.to_string()).to_vec(),
        "costs" => Costs::ALL.map(|it| it.to_string()).to_vec(),
        "metric" => Metric::ALL.map(|it| it.to_string()).to_vec(),
        "suites" | "suite" => BUILT_IN.map(|it| it.name.to_owned()).to_vec(),
        "moves" => MOVES_AS.map(str::to_owned).to_vec(),
        "form" => FORMS.map(str::to_owned).to_vec(),
        "by" => Measure::ALL.map(|it| it.name().to_owned()).to_vec(),
        "format" if arg.get_default_values().iter().any(|it| it == "csv") => {
            vec![RowFormat::Csv.to_string(), RowFormat::Jsonl.to_string()]
        }
        _ => return arg,
    };
    // Clap keeps names for as long as the process lives, which ends with this script.
    let values = values.into_iter().map(|value| &*value.leak());
    arg.value_parser(PossibleValuesParser::new(values))
}

fn heuristics() -> Vec<String> {
    let computed = Estimate::COMPUTED.map(|it| it.to_string());
    let mut names = computed.to_vec();
    names.extend(["wd", "auto"].map(str::to_owned));
    let sizes = ["3x3", "3x4", "4x4", "5x5"].map(str::parse::<Size>);
    let collections = sizes.into_iter().flatten().flat_map(Collection::names);
    for collection in collections {
        let name = format!("pdb:{collection}");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn prunings() -> Vec<String> {
    let depths = (2..=Prune::DEEPEST).step_by(2).filter_map(Prune::new);
    let words = [Pruning::Auto, Pruning::Off].into_iter();
    let all = words.chain(depths.map(Pruning::By));
    all.map(|it| it.to_string()).collect()
}
