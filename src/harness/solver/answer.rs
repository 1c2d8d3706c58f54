//! What a program printed, as moves or a cost.

use regex_lite::Regex;
use serde::Deserialize;

use crate::puzzle::{Board, Move, Notation, excerpt, named};

/// How a program writes its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnswerForm {
    /// The last line: moves of the gap, or JSON where it begins with a brace.
    #[default]
    Auto,
    /// Moves of the gap, as letters, words or a list.
    Gap,
    /// Moves of tiles.
    Tile,
    /// The numbers of the tiles that move.
    Numbers,
    /// A cost alone.
    Cost,
    /// An object with `moves` or `cost`, and `expanded` and `generated` where it has them.
    Json,
}

named!(AnswerForm, "a form of answers": Auto "auto", Gap "gap", Tile "tile", Numbers "numbers", Cost "cost", Json "json");

/// What a program says about a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The path, as moves of the gap.
    pub moves: Option<Vec<Move>>,
    /// Its cost, as the program says.
    pub cost: Option<u32>,
    /// Nodes that it expanded.
    pub expanded: Option<u64>,
    /// Nodes that it generated.
    pub generated: Option<u64>,
}

/// Why an output is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerError {
    /// There is nothing.
    #[error("it printed nothing")]
    Nothing,
    /// No line of it is an answer.
    #[error("it printed '{0}', which is no answer; expected {1}")]
    NoAnswer(String, &'static str),
    /// The expression did not match.
    #[error("its output does not match the regular expression; its last line is '{0}'")]
    NoMatch(String),
    /// A tile that is not beside the gap.
    #[error("tile {0} of its answer is not beside the gap")]
    FarTile(u32),
}

/// A JSON answer; programs may say more.
#[derive(Deserialize)]
struct Json {
    moves: Option<Moves>,
    solution: Option<Moves>,
    cost: Option<u32>,
    expanded: Option<u64>,
    generated: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    Text(String),
    Words(Vec<String>),
    Numbers(Vec<u32>),
    /// slidebench's own rows have the number of moves there, and the path in `solution`.
    Count(#[expect(dead_code, reason = "the path says it")] u32),
}

impl Answer {
    /// The answer in what a program printed for a board. With an expression, the last match of it
    /// counts, and its named groups are read as `form` says.
    pub fn read(
        output: &str,
        board: &Board,
        form: AnswerForm,
        expression: Option<&Regex>,
    ) -> Result<Answer, AnswerError> {
        let last = output.lines().rfind(|line| !line.trim().is_empty());
        let last = last.ok_or(AnswerError::Nothing)?.trim();
        let Some(expression) = expression else {
            return Answer::of_text(last, board, form);
        };
        let matches = expression.captures_iter(output).last();
        let found = matches.ok_or_else(|| AnswerError::NoMatch(excerpt(last)))?;
        let group = |name: &str| found.name(name).map(|it| it.as_str().trim());
        let number = |name: &str| group(name).and_then(|text| text.replace(',', "").parse().ok());
        let moves = group("moves").map(|text| moves_of(text, board, form));
        Ok(Answer {
            moves: moves.transpose()?,
            cost: number("cost").and_then(|cost: u64| cost.try_into().ok()),
            expanded: number("expanded"),
            generated: number("generated"),
        })
    }

    fn of_text(text: &str, board: &Board, form: AnswerForm) -> Result<Answer, AnswerError> {
        let form = match form {
            AnswerForm::Auto if text.starts_with('{') => AnswerForm::Json,
            AnswerForm::Auto => AnswerForm::Gap,
            form => form,
        };
        match form {
            AnswerForm::Json => Answer::of_json(text, board),
            AnswerForm::Cost => match text.parse() {
                Ok(cost) => Ok(Answer {
                    cost: Some(cost),
                    ..Answer::default()
                }),
                Err(_) => Err(AnswerError::NoAnswer(excerpt(text), "a whole number")),
            },
            form => Ok(Answer {
                moves: Some(moves_of(text, board, form)?),
                ..Answer::default()
            }),
        }
    }

    fn of_json(text: &str, board: &Board) -> Result<Answer, AnswerError> {
        let expected = "an object with moves or cost";
        let no_answer = || AnswerError::NoAnswer(excerpt(text), expected);
        let json: Json = serde_json::from_str(text).map_err(|_| no_answer())?;
        let paths = [json.solution, json.moves].into_iter().flatten();
        let mut path = paths.filter(|path| !matches!(path, Moves::Count(_)));
        let moves = path.next().map(|path| match path {
            Moves::Text(text) => moves_of(&text, board, AnswerForm::Gap),
            Moves::Words(words) => moves_of(&words.join(" "), board, AnswerForm::Gap),
            Moves::Numbers(tiles) => moves_of_tiles(tiles.into_iter(), board),
            Moves::Count(_) => unreachable!("counts were left out"),
        });
        let answer = Answer {
            moves: moves.transpose()?,
            cost: json.cost,
            expanded: json.expanded,
            generated: json.generated,
        };
        match answer.moves.is_some() || answer.cost.is_some() {
            true => Ok(answer),
            false => Err(no_answer()),
        }
    }
}

/// Moves in a text: letters, words or a list of either, whatever stands between them.
fn moves_of(text: &str, board: &Board, form: AnswerForm) -> Result<Vec<Move>, AnswerError> {
    let notation = match form {
        AnswerForm::Numbers => {
            let words = text.split(|c: char| !c.is_ascii_digit());
            let tiles = words.filter_map(|word| word.parse().ok());
            return moves_of_tiles(tiles, board);
        }
        AnswerForm::Tile => Notation::Tile,
        _ => Notation::Gap,
    };
    let expected = "moves such as UDLR, or ['Up', 'Left']";
    let no_answer = || AnswerError::NoAnswer(excerpt(text), expected);
    let mut moves = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        match Move::ALL
            .into_iter()
            .find(|mv| word.eq_ignore_ascii_case(mv.name()))
        {
            Some(mv) => moves.push(notation.of(mv)),
            None => {
                for letter in word.chars() {
                    let mv = Move::from_letter(letter.to_ascii_uppercase());
                    moves.push(notation.of(mv.ok_or_else(no_answer)?));
                }
            }
        }
    }
    Ok(moves)
}

/// The moves of the gap that move these tiles, one after the other.
fn moves_of_tiles(
    tiles: impl Iterator<Item = u32>,
    board: &Board,
) -> Result<Vec<Move>, AnswerError> {
    let mut board = *board;
    let mut moves = Vec::new();
    for tile in tiles {
        let mut steps = Move::ALL
            .into_iter()
            .filter_map(|mv| Some((mv, board.replay(&[mv])?)));
        let gap = board.tiles().iter().position(|&it| it == 0);
        let moved = |after: &Board| gap.is_some_and(|gap| u32::from(after.tiles()[gap]) == tile);
        let step = steps.find(|(_, after)| moved(after));
        let (mv, after) = step.ok_or(AnswerError::FarTile(tile))?;
        moves.push(mv);
        board = after;
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_every_form() {
        let board: Board = "1 4 2 / 3 0 5 / 6 7 8".parse().unwrap();
        let path = vec![Move::Up, Move::Left];
        for (form, text) in [
            (AnswerForm::Auto, "UL"),
            (AnswerForm::Auto, "u, l"),
            (AnswerForm::Gap, "['Up', 'Left']"),
            (AnswerForm::Gap, "up left"),
            (AnswerForm::Tile, "Down Right"),
            (AnswerForm::Numbers, "[4, 1]"),
            (AnswerForm::Auto, r#"{"moves":"UL"}"#),
            (AnswerForm::Auto, r#"{"moves":["up","left"],"cost":2}"#),
            (AnswerForm::Json, r#"{"moves":[4,1]}"#),
            (AnswerForm::Json, r#"{"moves":2,"solution":"UL"}"#),
        ] {
            let answer = Answer::read(&format!("noise\n{text}\n\n"), &board, form, None).unwrap();
            assert_eq!(answer.moves.as_ref(), Some(&path), "{text}");
        }
        let cost = Answer::read("2", &board, AnswerForm::Cost, None).unwrap();
        assert_eq!((cost.cost, cost.moves), (Some(2), None));
        let expression = Regex::new(r"path (?P<moves>\w*) in (?P<cost>\d+), (?P<expanded>[\d,]+)");
        let expression = expression.unwrap();
        let text = "path UL in 2, 1,234\n";
        let answer = Answer::read(text, &board, AnswerForm::Gap, Some(&expression)).unwrap();
        assert_eq!((answer.moves, answer.expanded), (Some(path), Some(1234)));
        let text = format!("path UL in {}, 1\n", (1u64 << 32) + 2);
        let large = Answer::read(&text, &board, AnswerForm::Gap, Some(&expression)).unwrap();
        assert_eq!(large.cost, None);
    }

    #[test]
    fn what_is_no_answer_is_told() {
        let board: Board = "1 4 2 / 3 0 5 / 6 7 8".parse().unwrap();
        for (form, text, told) in [
            (AnswerForm::Auto, "\n\n", "it printed nothing"),
            (
                AnswerForm::Auto,
                "Killed",
                "it printed 'Killed', which is no answer",
            ),
            (
                AnswerForm::Auto,
                "{\"time\":1}",
                "an object with moves or cost",
            ),
            (
                AnswerForm::Numbers,
                "8",
                "tile 8 of its answer is not beside the gap",
            ),
            (AnswerForm::Cost, "many", "a whole number"),
        ] {
            let error = Answer::read(text, &board, form, None)
                .unwrap_err()
                .to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
