//! The manual: one page with all commands and all their flags.

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

/// What the program's exit codes mean.
const EXIT_STATUS: [(&str, &str); 5] = [
    ("0", "Done. A run that hit a limit is a row, not a failure."),
    (
        "1",
        "The program or the machine failed, or a bar such as --fail-if-slower did, or course check found a wrong line.",
    ),
    ("2", "Wrong usage or input."),
    (
        "3",
        "A wrong answer was found: a cost below the known optimum or above what its search promises, or moves that \
         do not replay.",
    ),
    ("130", "Interrupted; 143 and 129 after SIGTERM and SIGHUP."),
];

/// The page of the program: it names no other page.
pub fn page(mut command: Command) -> anyhow::Result<String> {
    command = command.disable_help_subcommand(true);
    // Gives the commands below their full names, such as slidebench course driver.
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for below in command.get_subcommands() {
        describe(below, &mut page)?;
    }
    let mut end = Roff::new();
    end.control("SH", ["EXAMPLES"]);
    list_examples(&command, &mut end);
    end.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_STATUS {
        end.control("TP", [])
            .text([roman(code)])
            .text([roman(meaning)]);
    }
    end.to_writer(&mut page)?;
    Ok(String::from_utf8(page)?)
}

/// A section for a command, and one for each command below it.
fn describe(command: &Command, page: &mut Vec<u8>) -> anyhow::Result<()> {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    Roff::new().control("SH", [name]).to_writer(page)?;
    let man = Man::new(command.clone());
    let mut parts = Vec::new();
    man.render_synopsis_section(&mut parts)?;
    man.render_description_section(&mut parts)?;
    man.render_options_section(&mut parts)?;
    // Parts of the command's own section.
    let parts = String::from_utf8(parts)?.replace("\n.SH ", "\n.SS ");
    page.extend(parts.as_bytes());
    for below in command.get_subcommands() {
        describe(below, page)?;
    }
    Ok(())
}

/// The examples of all commands that have some.
fn list_examples(command: &Command, page: &mut Roff) {
    if let Some(examples) = command.get_after_help() {
        for line in examples.to_string().lines().skip(1) {
            page.control("nf", [])
                .text([roman(line.trim())])
                .control("fi", []);
        }
    }
    for below in command.get_subcommands() {
        list_examples(below, page);
    }
}
