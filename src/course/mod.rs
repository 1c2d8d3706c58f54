//! The interfaces of five classroom assignments, byte for byte.
