//! Who runs on the boards of a plan: searches of this program, and programs of others.

use std::fmt;
use std::sync::Arc;

use super::configuration::{Choices, Configuration};
use crate::harness::record::{ConfigurationKey, Entrant};
use crate::harness::solver::Solver;

/// One way to solve boards.
#[derive(Clone, Debug)]
pub enum Contender {
    /// A search, with its estimate.
    Search(Configuration),
    /// A program.
    Program(Arc<Solver>),
}

impl Contender {
    /// The search, if it is one.
    pub fn search(&self) -> Option<&Configuration> {
        match self {
            Contender::Search(configuration) => Some(configuration),
            Contender::Program(_) => None,
        }
    }

    /// The program, if it is one.
    pub fn program(&self) -> Option<&Solver> {
        match self {
            Contender::Search(_) => None,
            Contender::Program(solver) => Some(solver),
        }
    }

    /// As it was asked for, by names.
    pub fn key(&self) -> ConfigurationKey {
        match self {
            Contender::Search(configuration) => configuration.key(),
            Contender::Program(solver) => Entrant::Program(solver).key(),
        }
    }
}

/// As it was asked for.
impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key().fmt(f)
    }
}

impl Choices {
    /// The searches, and then the programs.
    pub fn contenders(&self) -> Vec<Contender> {
        let searches = self.configurations().into_iter().map(Contender::Search);
        let programs = self.solvers.iter().cloned().map(Contender::Program);
        searches.chain(programs).collect()
    }
}
