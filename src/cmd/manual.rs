//! The manual: a page for each command, one after the other.

use std::io;

/// The pages of a command and of all commands below it, so that every flag is in the text.
pub fn pages(mut command: clap::Command) -> anyhow::Result<String> {
    command = command.disable_help_subcommand(true);
    // Gives the commands below their full names, such as slidebench-course-driver.
    command.build();
    let mut pages = Vec::new();
    render(&command, &mut pages)?;
    Ok(String::from_utf8(pages)?)
}

fn render(command: &clap::Command, pages: &mut Vec<u8>) -> io::Result<()> {
    clap_mangen::Man::new(command.clone()).render(pages)?;
    command
        .get_subcommands()
        .try_for_each(|below| render(below, pages))
}
