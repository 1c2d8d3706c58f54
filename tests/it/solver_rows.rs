//! Rows of programs of others: resumed, merged, compared and told like any others.

use std::fs;

use slidebench::harness::record::Row;

use crate::command::{rows, slidebench};
use crate::solvers::{run_with, script, told};

/// Rows on stdout have nothing beside them: reasons go to stderr.
#[test]
fn reasons_are_told_where_there_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let code = script(folder.path(), "code", "echo oh dear >&2; exit 7", "");
    let mut command = slidebench(folder.path(), "run smoke --filter 1 -o -");
    let output = command.args(["--solver", &code]).output().unwrap();
    let said = told(&output);
    assert!(said.contains("exit code 7\n    oh dear\n"), "{said}");
    assert!(
        said.contains("1 run ended in an error; the reasons are above"),
        "{said}"
    );
}

/// Such runs are resumed, shuffled, repeated, sharded, merged, compared and drawn like any others.
#[test]
fn rows_of_programs_are_rows() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_slidebench");
    let toml = format!(
        "command = [\"{program}\", \"solve\", \"--stdin\", \"--format\", \"json\", \"-H\", \"md\", \
         \"--goal\", \"{{goal}}\"]\nmode = \"lines\"\nnotation = \"rows\"\n"
    );
    fs::write(folder.path().join("self.toml"), toml).unwrap();
    let done = |arguments: &str| {
        let output = slidebench(folder.path(), arguments).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", told(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let plan = "run smoke --filter 1-6 -a idastar -H md --solver self.toml --repeat 2 --seed 5";
    done(&format!("{plan} -o one.csv --jobs 2"));
    let one = rows(&folder.path().join("one.csv"));
    assert_eq!(one.iter().filter(|row| row.solver == "self").count(), 12);
    let text = fs::read_to_string(folder.path().join("one.csv")).unwrap();
    let half: Vec<&str> = text.lines().take(9).collect();
    fs::write(folder.path().join("half.csv"), half.join("\n") + "\n").unwrap();
    done(&format!("{plan} -o half.csv --resume"));
    assert_eq!(rows(&folder.path().join("half.csv")).len(), one.len());
    for shard in 1..=2 {
        done(&format!("{plan} -o s.csv --shard {shard}/2"));
    }
    done("merge s.shard-1-of-2.csv s.shard-2-of-2.csv -o merged.csv");
    let key = |row: &Row| {
        (
            row.solver.clone(),
            row.instance.clone(),
            row.repeat,
            row.cost,
        )
    };
    let keys = |rows: &[Row]| {
        let mut keys: Vec<_> = rows.iter().map(key).collect();
        keys.sort();
        keys
    };
    assert_eq!(keys(&rows(&folder.path().join("merged.csv"))), keys(&one));
    done("report merged.csv -o page.html");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(
        page.contains(">self<"),
        "the page does not name the program"
    );
    assert!(done("compare one.csv merged.csv").contains("12 solved by both"));
}

/// The rows of one program are not those of another one that took its name.
#[test]
fn a_program_that_changed_under_its_name_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("two.sh"), "echo nothing").unwrap();
    let first = "name = \"mine\"\ncommand = [\"sh\", \"one.sh\", \"{board}\"]\n";
    let file = script(folder, "one", "echo 'cost 3'", first);
    let (output, begun) = run_with(folder, &[&file], "--filter 1-2");
    assert_eq!(begun.len(), 2, "{}", told(&output));
    for (changed, field, found, expected) in [
        (first.replace("one", "two"), "command", "one.sh", "two.sh"),
        (
            format!("{first}answer = \"cost\"\n"),
            "answer",
            "auto",
            "cost",
        ),
        (
            format!("{first}notation = \"commas\"\n"),
            "notation",
            "numbers",
            "commas",
        ),
        (
            format!("{first}environment = {{ A = \"1\" }}\n"),
            "environment",
            "{}",
            "\"A\": \"1\"",
        ),
        (
            format!("{first}directory = \"..\"\n"),
            "directory",
            "none",
            "/",
        ),
        (
            format!("{first}version = [\"echo\", \"v2\"]\n"),
            "version",
            "\"\"",
            "v2",
        ),
    ] {
        fs::write(folder.join(&file), changed).unwrap();
        let (output, rows) = run_with(folder, &[&file], "--filter 1-3 --resume");
        let said = told(&output);
        assert_eq!(output.status.code(), Some(2), "{field}: {said}");
        let named = format!("o.csv has rows of 'mine' with the {field} ");
        assert!(said.contains(&named), "{field}: {said}");
        let (had, has) = said.split_once(", which is ").unwrap();
        assert!(
            had.contains(found) && has.contains(expected),
            "{field}: {said}"
        );
        assert!(has.contains("another name"), "{field}: {said}");
        assert_eq!(rows.len(), begun.len(), "{field}");
    }
    // The same definition goes on, and so does another name.
    fs::write(folder.join(&file), first).unwrap();
    let (_, rows) = run_with(folder, &[&file], "--filter 1-3 --resume");
    assert_eq!(rows.len(), 3);
    fs::write(
        folder.join(&file),
        first.replace("mine", "other").replace("one", "two"),
    )
    .unwrap();
    let (_, rows) = run_with(folder, &[&file], "--filter 1 --resume");
    assert_eq!(rows.len(), 4);
}

/// What a student's program has solved before a change, it has not solved after it.
#[test]
fn a_script_that_was_edited_is_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = script(folder, "mine", "echo 'wrong'", "");
    let (output, begun) = run_with(folder, &[&file], "--filter 1-2");
    assert_eq!(begun.len(), 2, "{}", told(&output));
    script(folder, "mine", "echo 'nothing'", "");
    let (output, rows) = run_with(folder, &[&file], "--filter 1-3 --resume");
    let said = told(&output);
    assert_eq!((output.status.code(), rows.len()), (Some(2), 2), "{said}");
    assert!(said.contains("with the file 'mine.sh', xxh3:"), "{said}");
    script(folder, "mine", "echo 'wrong'", "");
    let (_, rows) = run_with(folder, &[&file], "--filter 1-3 --resume");
    assert_eq!(rows.len(), 3);
}
