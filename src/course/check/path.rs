//! A printed path: its moves are read in any form, replayed, and then the form is judged.

use super::rule::Mistake;
use crate::course::{puz, python};
use crate::puzzle::{Board, Goal, Move, Notation, excerpt};

/// How a path is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Words {
    /// `['Up', 'Left']`, the ways of the gap.
    Names,
    /// `['U', 'L']`, the ways of the tiles.
    TileLetters,
}

/// A path from a board to a goal, of a known length.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathRule {
    /// What stands before the list.
    pub head: &'static str,
    pub words: Words,
    pub board: Board,
    pub goal: Goal,
    pub length: usize,
}

impl PathRule {
    /// The line as it should be for the path that it has, if that path is right.
    pub fn right_text(&self, printed: &str) -> Result<String, Mistake> {
        let list = match (self.head, printed.split_once(':')) {
            ("", _) | (_, None) => printed,
            (_, Some((_, list))) => list,
        };
        let words = words(list);
        let moves: Vec<Move> = words
            .iter()
            .map(|word| read(word))
            .collect::<Result<_, _>>()?;
        let moves: Vec<Move> = moves.iter().map(|&mv| self.notation().of(mv)).collect();
        self.replay(&moves)
            .map_err(|wrong| wrong.mistake(printed, &words))?;
        if moves.len() != self.length {
            return Err(Mistake::Length {
                found: moves.len(),
                right: self.length,
            });
        }
        Ok(match self.words {
            Words::Names => {
                let names = python::list_of_words(moves.iter().map(|mv| mv.name()));
                format!("{}{names}", self.head)
            }
            Words::TileLetters => puz::list(Some(&moves)),
        })
    }

    fn notation(&self) -> Notation {
        match self.words {
            Words::Names => Notation::Gap,
            Words::TileLetters => Notation::Tile,
        }
    }

    /// Plays the moves of the gap.
    fn replay(&self, moves: &[Move]) -> Result<(), WrongWay> {
        let goal = Board::solved(self.board.size(), self.goal);
        let mut board = self.board;
        let off_board = moves.iter().position(|&mv| match board.after(mv) {
            Some(after) => {
                board = after;
                false
            }
            None => true,
        });
        let opposite = || moves.iter().map(|mv| mv.opposite()).collect::<Vec<_>>();
        match off_board {
            None if board == goal => Ok(()),
            _ if self.board.replay(&opposite()) == Some(goal) => Err(WrongWay::Opposite {
                of_gap: self.notation() == Notation::Tile,
            }),
            Some(place) => Err(WrongWay::OffBoard(place)),
            None => Err(WrongWay::Elsewhere),
        }
    }
}

/// Where moves lead that do not lead to the goal.
enum WrongWay {
    /// The place of the first move that there is not.
    OffBoard(usize),
    Elsewhere,
    /// To the goal, if each went the other way.
    Opposite {
        of_gap: bool,
    },
}

impl WrongWay {
    /// `words` are those of the printed line.
    fn mistake(self, printed: &str, words: &[&str]) -> Mistake {
        match self {
            WrongWay::Elsewhere => Mistake::NotAtGoal,
            WrongWay::Opposite { of_gap } => Mistake::OtherNotation { of_gap },
            WrongWay::OffBoard(place) => {
                let word = words[place];
                let offset = word.as_ptr() as usize - printed.as_ptr() as usize;
                Mistake::OffBoard {
                    number: place + 1,
                    word: word.to_owned(),
                    column: printed[..offset].chars().count() + 1,
                }
            }
        }
    }
}

/// The words of a list. One of letters alone, such as `UULD`, is a word for each.
fn words(list: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in list.split(|letter: char| !letter.is_alphanumeric()) {
        let is_letters = || word.chars().all(|it| Move::from_letter(it).is_some());
        match read(word).is_err() && is_letters() {
            true => words.extend(word.split("").filter(|it| !it.is_empty())),
            false if word.is_empty() => {}
            false => words.push(word),
        }
    }
    words
}

/// A move by its name or its letter.
fn read(word: &str) -> Result<Move, Mistake> {
    let is_named = |mv: &Move| {
        let mut letter = [0; 4];
        let letter = mv.letter().encode_utf8(&mut letter);
        word.eq_ignore_ascii_case(mv.name()) || word.eq_ignore_ascii_case(letter)
    };
    let named = Move::ALL.into_iter().find(is_named);
    named.ok_or_else(|| Mistake::NoMove(excerpt(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "path_to_goal: ";

    fn rule(board: &str, words: Words, goal: Goal, length: usize) -> PathRule {
        PathRule {
            head: if words == Words::Names { HEAD } else { "" },
            words,
            board: board.parse().unwrap(),
            goal,
            length,
        }
    }

    #[test]
    fn a_path_is_judged_by_where_it_leads() {
        let rule = rule("1,2,5,3,4,0,6,7,8", Words::Names, Goal::First, 3);
        let right = "path_to_goal: ['Up', 'Left', 'Left']";
        let judged = |list: &str| rule.right_text(&format!("{HEAD}{list}"));
        for list in ["['Up', 'Left', 'Left']", "[up,left,left]", "ULL", "[]ULL"] {
            assert_eq!(judged(list).as_deref(), Ok(right), "{list}");
        }
        let off = |number, word: &str, column| Mistake::OffBoard {
            number,
            word: word.to_owned(),
            column,
        };
        let wrong = [
            ("['Up', 'Left']", Mistake::NotAtGoal),
            ("[]", Mistake::NotAtGoal),
            ("['Up', 'Up']", off(2, "Up", 23)),
            ("['Up', 'Lift']", Mistake::NoMove("Lift".to_owned())),
            ("DRR", Mistake::OtherNotation { of_gap: false }),
            ("ULLRL", Mistake::Length { found: 5, right: 3 }),
        ];
        for (list, mistake) in wrong {
            assert_eq!(judged(list), Err(mistake), "{list}");
        }
    }

    #[test]
    fn tiles_go_the_other_way() {
        let rule = rule("1 2 3 / . 4 5", Words::TileLetters, Goal::Last, 2);
        assert_eq!(rule.right_text("['L', 'L']").as_deref(), Ok("['L', 'L']"));
        let mistake = Mistake::OtherNotation { of_gap: true };
        assert_eq!(rule.right_text("['R', 'R']"), Err(mistake));
        let none = Mistake::NoMove("None".to_owned());
        assert_eq!(rule.right_text("None"), Err(none));
    }
}
