//! Statistics against published examples and another implementation; `tests/data/statistics.csv` has
//! each value with where it is from.

use slidebench::harness::analysis::statistics::{
    Block, Pair, chi_square_tail, critical_difference, friedman, holm, mean_ratio, normal_tails,
    signed_rank, studentized_range,
};

const VALUES: &str = include_str!("../data/statistics.csv");

fn numbers(text: &str) -> Vec<f64> {
    let numbers = text
        .split_whitespace()
        .map(|number| number.parse().unwrap());
    numbers.collect()
}

/// What we compute, and how near it should be.
fn computed(statistic: &str, parameter: &str, input: &str) -> (Vec<f64>, f64) {
    let one = || numbers(input)[0];
    let blocks = || -> Vec<Vec<f64>> { input.split('|').map(numbers).collect() };
    match statistic {
        "normal_tails" => (vec![normal_tails(one())], 1e-12),
        "chi_square_tail" => {
            let tail = chi_square_tail(one(), parameter.parse().unwrap());
            (vec![tail], 1e-12)
        }
        "studentized_range" => {
            let range = studentized_range(parameter.parse().unwrap(), one() as usize);
            (vec![range], 1e-6)
        }
        // Tables print three digits after the point.
        "nemenyi_q" => {
            let range = studentized_range(parameter.parse().unwrap(), one() as usize);
            (vec![range / 2f64.sqrt()], 1e-3)
        }
        "critical_difference" => {
            let difference = critical_difference(parameter.parse().unwrap(), one() as usize);
            (vec![difference], 5e-3)
        }
        "signed_rank" => {
            let test = signed_rank(&numbers(input)).unwrap();
            (vec![test.plus, test.minus, test.p], 1e-12)
        }
        "friedman" => {
            let test = friedman(&blocks()).unwrap();
            (vec![test.chi_square, test.p], 1e-10)
        }
        "friedman_ranks" => (friedman(&blocks()).unwrap().mean_ranks, 5e-4),
        "holm" => (holm(&numbers(input)), 1e-12),
        _ => panic!("{statistic}"),
    }
}

#[test]
fn values_are_those_of_others() {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(VALUES.as_bytes());
    let mut compared = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let (found, within) = computed(&record[0], &record[1], &record[2]);
        let expected = numbers(&record[3]);
        assert_eq!(found.len(), expected.len(), "{record:?}");
        for (found, expected) in found.iter().zip(&expected) {
            // Probabilities are compared by their ratio: small ones count as well.
            let error = (found - expected).abs() / expected.abs().clamp(1e-300, 1.0);
            assert!(error <= within, "{found} and not {expected}: {record:?}");
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn nothing_is_said_of_nothing() {
    assert_eq!(signed_rank(&[]), None);
    assert_eq!(signed_rank(&[0.0, 0.0]), None);
    assert_eq!(friedman(&[]), None);
    assert_eq!(friedman(&[vec![1.0, 2.0]]), None);
    let alike = friedman(&[vec![1.0; 3], vec![1.0; 3]]).unwrap();
    assert_eq!((alike.chi_square, alike.p), (0.0, 1.0));
    assert_eq!(alike.mean_ranks, [2.0; 3]);
    assert!(holm(&[]).is_empty());
    assert_eq!(mean_ratio(&[]), None);
}

/// Unsolved instances are infinite, and share the last rank.
#[test]
fn infinite_values_have_ranks() {
    let inf = f64::INFINITY;
    let test = friedman(&[vec![1.0, inf, inf], vec![inf, 3.0, 2.0]]).unwrap();
    assert_eq!(test.mean_ranks, [2.0, 2.25, 1.75]);
}

fn block(pairs: &[(&[f64], &[f64])]) -> Block {
    let pairs = pairs.iter().map(|(before, after)| Pair {
        before: before.to_vec(),
        after: after.to_vec(),
    });
    Block {
        pairs: pairs.collect(),
    }
}

/// A repeat that went astray is not the median.
#[test]
fn repeats_are_reduced_to_their_medians() {
    let astray: Vec<Block> = (0..20)
        .map(|_| block(&[(&[0.0, 0.0, 0.0, 0.0, 9.0], &[1.0, 1.0, 1.0, 1.0, 1.0])]))
        .collect();
    let ratio = mean_ratio(&astray).unwrap();
    assert!((ratio.mean.ln() - 1.0).abs() < 1e-12, "{ratio:?}");
    assert!(ratio.low > 1.0 && ratio.high < 3.0, "{ratio:?}");
    assert_eq!(block(&[(&[1.0, 2.0], &[4.0])]).log_ratio(), 2.5);
}

/// The runs of an instance with ten configurations are one observation, not ten.
#[test]
fn what_an_instance_has_in_common_is_drawn_together() {
    let logs = [-0.3, 0.1, 0.4, -0.1, 0.2, 0.0, 0.5, -0.2];
    let once: Vec<Block> = (logs.iter())
        .map(|log| block(&[(&[0.0], &[*log])]))
        .collect();
    let ten: Vec<Block> = (logs.iter())
        .map(|log| Block {
            pairs: vec![block(&[(&[0.0], &[*log])]).pairs[0].clone(); 10],
        })
        .collect();
    let (once, ten) = (mean_ratio(&once).unwrap(), mean_ratio(&ten).unwrap());
    for (one, other) in [
        (once.mean, ten.mean),
        (once.low, ten.low),
        (once.high, ten.high),
    ] {
        assert!((one / other - 1.0).abs() < 1e-9, "{once:?} {ten:?}");
    }
}
