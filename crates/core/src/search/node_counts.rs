//! How many nodes: the two numbers that every search counts.

use std::ops::{Add, AddAssign, Sub};

/// Nodes expanded and generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeCounts {
    /// Nodes whose children were made.
    pub expanded: u64,
    /// The start and every child made.
    pub generated: u64,
}

impl Add for NodeCounts {
    type Output = NodeCounts;

    #[inline(always)]
    fn add(self, more: NodeCounts) -> NodeCounts {
        NodeCounts {
            expanded: self.expanded + more.expanded,
            generated: self.generated + more.generated,
        }
    }
}

impl AddAssign for NodeCounts {
    #[inline(always)]
    fn add_assign(&mut self, more: NodeCounts) {
        *self = *self + more;
    }
}

impl Sub for NodeCounts {
    type Output = NodeCounts;

    #[inline(always)]
    fn sub(self, less: NodeCounts) -> NodeCounts {
        NodeCounts {
            expanded: self.expanded - less.expanded,
            generated: self.generated - less.generated,
        }
    }
}
