//! Inputs near valid ones, and noise.

use slidebench::harness::suite::Random;

/// Words that parsers stumble over: ends of ranges, signs of formats, text that is none.
const WORDS: [&str; 44] = [
    "0",
    "-1",
    "1",
    "2",
    "25",
    "26",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e-400",
    "NaN",
    "inf",
    "-0",
    "+1",
    "00",
    "0x",
    "1.5",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "\"",
    "\"\"",
    "'",
    "'=",
    "#",
    "\u{feff}",
    "\u{2028}",
    "é",
    "𝔸",
    ",",
    "/",
    "null",
    "{}",
    "[[]]",
];

/// What a text without a valid one behind it is made of.
const ALPHABET: &[u8] = b"0123456789ABCDEFabcdefxX._,/ |;:[](){}\"'\n\r\t#+-=@*!\\uUDLRpdb\xff\xc3";

/// The longest input.
const LONGEST: usize = 1 << 14;

/// Makes inputs from valid ones.
pub struct Mutator<'a> {
    corpus: &'a [Vec<u8>],
    random: Random,
    input: Vec<u8>,
}

impl<'a> Mutator<'a> {
    pub fn new(corpus: &'a [Vec<u8>], random: Random) -> Mutator<'a> {
        let input = Vec::new();
        Mutator {
            corpus,
            random,
            input,
        }
    }

    /// The next input.
    pub fn input(&mut self) -> &[u8] {
        self.input.clear();
        if self.random.below(16) == 0 {
            for _ in 0..self.random.below(80) {
                self.input.push(*self.random.choose(ALPHABET));
            }
            return &self.input;
        }
        let valid: &Vec<u8> = self.random.choose(self.corpus);
        self.input.extend_from_slice(valid);
        for _ in 0..1 + self.random.below(5) {
            self.mutate();
        }
        self.input.truncate(LONGEST);
        &self.input
    }

    fn place(&mut self) -> usize {
        self.random.below(self.input.len() + 1)
    }

    /// A range, mostly a short one.
    fn range(&mut self) -> std::ops::Range<usize> {
        let start = self.place();
        let most = *self.random.choose(&[2, 4, 16, 64, 1024]);
        let length = self.random.below(most);
        start..self.input.len().min(start + length)
    }

    fn mutate(&mut self) {
        match self.random.below(8) {
            0 if !self.input.is_empty() => {
                let place = self.random.below(self.input.len());
                self.input[place] ^= 1 << self.random.below(8);
            }
            1 if !self.input.is_empty() => {
                let place = self.random.below(self.input.len());
                self.input[place] = *self.random.choose(ALPHABET);
            }
            2 => {
                let range = self.range();
                self.input.drain(range);
            }
            3 => self.number(),
            4 => {
                let range = self.range();
                let piece = self.input[range].to_vec();
                self.insert(&piece);
            }
            5 => {
                let other = self.random.choose(self.corpus);
                let start = self.random.below(other.len() + 1);
                let end = other.len().min(start + self.random.below(64));
                self.insert(&other[start..end]);
            }
            6 if self.random.below(8) == 0 => {
                let place = self.place();
                self.input.truncate(place);
            }
            _ => {
                let word = *self.random.choose(&WORDS);
                self.insert(word.as_bytes());
            }
        }
    }

    fn insert(&mut self, piece: &[u8]) {
        let place = self.place();
        self.input.splice(place..place, piece.iter().copied());
    }

    /// Another number in the place of one.
    fn number(&mut self) {
        let from = self.place();
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let Some(start) = self.input[from..].iter().position(is_digit) else {
            return;
        };
        let start = from + start;
        let digits = self.input[start..]
            .iter()
            .take_while(|byte| is_digit(byte))
            .count();
        let word = *self.random.choose(&WORDS[..25]);
        self.input.splice(start..start + digits, word.bytes());
    }
}
