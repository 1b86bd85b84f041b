"""Writes reference.json: what SciPy, statsmodels, scikit-learn and krippendorff say, for the tests to agree with.

    python3 -m venv venv && venv/bin/pip install scipy statsmodels scikit-learn krippendorff
    venv/bin/python test/statistics/make-reference.py && npx prettier --write test/statistics/reference.json

Inputs are drawn with a fixed seed and stored with the results, so the tests need no Python. The versions used are in
the file. pass@k and pass^k come from exact fractions.
"""

import json
import warnings
from fractions import Fraction
from importlib.metadata import version
from math import comb
from pathlib import Path

import krippendorff
import numpy as np
from scipy import special, stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

rng = np.random.default_rng(20_260_101)
warnings.filterwarnings("ignore", category=RuntimeWarning)


def rounded(size, digits, scale=10.0):
    return [float(x) for x in np.round(rng.normal(scale=scale, size=size) + 20, digits)]


def describe_cases():
    samples = [rounded(n, digits) for n in (2, 3, 10, 31, 200) for digits in (0, 3)]
    samples.append([1e9 + x for x in (4.0, 7.0, 13.0, 16.0)])
    samples.append([1, 1, 0, 1, 1, 1, 0, 1, 1, 1])
    for values in samples:
        array = np.array(values, dtype=float)
        percentiles = {str(p): float(np.percentile(array, p)) for p in (0, 5, 25, 50, 75, 95, 99, 100)}
        yield {
            "values": values,
            "mean": float(np.mean(array)),
            "median": float(np.median(array)),
            "population_std_dev": float(np.std(array)),
            "sample_std_dev": float(np.std(array, ddof=1)),
            "sample_variance": float(np.var(array, ddof=1)),
            "percentiles": percentiles,
            "slope": float(stats.linregress(range(len(values)), array).slope),
        }


def wilson_cases():
    for runs in (1, 2, 5, 10, 37, 100, 1000, 1_000_000):
        for passed in sorted({0, 1, runs // 3, runs // 2, runs - 1, runs}):
            for confidence in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
                low, high = proportion_confint(passed, runs, alpha=1 - confidence, method="wilson")
                yield {"passed": passed, "runs": runs, "confidence": confidence, "low": float(low), "high": float(high)}


def several_runs_cases():
    for runs in (1, 2, 5, 10, 200, 5_000, 100_000):
        for passed in sorted({0, 1, runs // 4, runs // 2, runs - 1, runs}):
            for k in sorted({1, 2, 3, 5, 10, runs // 2, runs}):
                if not 1 <= k <= runs:
                    continue
                total = comb(runs, k)
                yield {
                    "runs": runs,
                    "passed": passed,
                    "k": k,
                    "pass_at_k": float(1 - Fraction(comb(runs - passed, k), total)),
                    "pass_hat_k": float(Fraction(comb(passed, k), total)),
                }


def fisher_cases():
    tables = [[[8, 2], [1, 5]], [[10, 0], [0, 10]], [[5, 5], [5, 5]], [[0, 3], [4, 0]], [[1, 9], [11, 3]]]
    tables += [[[0, 5], [0, 7]], [[990, 10], [950, 50]], [[49_000, 1_000], [48_800, 1_200]]]
    tables += [rng.integers(0, high, size=(2, 2)).tolist() for high in (4, 10, 40, 300) for _ in range(10)]
    for table in tables:
        yield {"table": table, "p": float(stats.fisher_exact(table).pvalue)}


def two_sample_cases():
    sizes = [(1, 1), (1, 8), (2, 2), (3, 5), (5, 5), (8, 8), (8, 30), (9, 9), (9, 20), (40, 60), (4, 400)]
    pairs = [(rounded(a, 6), [x + 4 for x in rounded(b, 6)]) for a, b in sizes]
    pairs += [(rounded(a, 0, 3), rounded(b, 0, 3)) for a, b in sizes]
    pairs += [([1, 1, 0, 1], [0, 0, 1, 0, 0]), ([2, 2, 2], [2, 2]), ([1, 2, 3], [4, 5, 6])]
    for first, second in pairs:
        result = stats.mannwhitneyu(first, second, alternative="two-sided")
        delta = np.sign(np.subtract.outer(np.array(first), np.array(second))).mean()
        yield {"first": first, "second": second, "u": float(result.statistic), "p": float(result.pvalue), "delta": float(delta)}


def many_sample_cases():
    sizes = [(3, 3, 3), (5, 8), (4, 9, 2, 7), (30, 30, 30), tuple([6] * 12), tuple([4] * 150)]
    for digits in (0, 5):
        for size in sizes:
            samples = [rounded(n, digits, 4) for n in size]
            result = stats.kruskal(*samples)
            yield {"samples": samples, "h": float(result.statistic), "p": float(result.pvalue)}


def correction_cases():
    lists = [[0.01, 0.04, 0.03, 0.5], [0.01, 0.011], [0.05], [0.2, 0.2, 0.2], [0.9, 0.0, 1.0]]
    lists += [[float(p) for p in np.round(rng.beta(0.5, 2, size=n), 6)] for n in (5, 20, 100)]
    for values in lists:
        adjusted = {m: multipletests(values, method=m)[1].tolist() for m in ("holm", "fdr_bh", "bonferroni")}
        yield {"p": values, **adjusted}


def kappa_cases():
    for labels, n in ((2, 8), (2, 60), (3, 40), (5, 200)):
        first = rng.integers(0, labels, size=n)
        second = np.where(rng.random(n) < 0.7, first, rng.integers(0, labels, size=n))
        yield {
            "first": first.tolist(),
            "second": second.tolist(),
            "kappa": float(cohen_kappa_score(first, second)),
        }


def alpha_cases():
    for raters, units, values in ((2, 10, 2), (3, 12, 5), (5, 40, 5)):
        truth = rng.integers(1, values + 1, size=units)
        noisy = np.clip(truth + rng.integers(-1, 2, size=(raters, units)), 1, values).astype(float)
        noisy[rng.random((raters, units)) < 0.15] = np.nan
        by_level = {
            level: float(krippendorff.alpha(reliability_data=noisy, level_of_measurement=level))
            for level in ("nominal", "ordinal", "interval")
        }
        units_first = [[None if np.isnan(x) else int(x) for x in unit] for unit in noisy.T]
        yield {"units": units_first, **by_level}


def bootstrap_cases():
    """The intervals of a given bootstrap distribution: what follows the drawing is closed form."""
    for n, statistic in ((8, "mean"), (25, "mean"), (40, "variance")):
        values = np.round(rng.exponential(3, size=n), 6)
        of = np.mean if statistic == "mean" else (lambda x, axis=-1: np.var(x, axis=axis, ddof=1))
        drawn = stats.bootstrap((values,), of, n_resamples=399, rng=rng, vectorized=True, axis=-1)
        case = {"values": values.tolist(), "statistic": statistic, "estimates": drawn.bootstrap_distribution.tolist()}
        intervals = []
        for confidence in (0.8, 0.95):
            for method in ("percentile", "BCa"):
                interval = stats.bootstrap(
                    (values,),
                    of,
                    n_resamples=0,
                    bootstrap_result=drawn,
                    confidence_level=confidence,
                    method=method,
                    vectorized=True,
                    axis=-1,
                ).confidence_interval
                low, high = float(interval.low), float(interval.high)
                intervals.append({"confidence": confidence, "method": method.lower(), "low": low, "high": high})
        yield {**case, "intervals": intervals}


def distribution_cases():
    z = [float(x) for x in np.concatenate([np.linspace(-8, 8, 65), [-37.0, -20.0, -1e-9, 1e-9, 12.0]])]
    p = [1e-300, 1e-20, 1e-9, 0.001, 0.024999, 0.1, 0.3, 0.4999999, 0.5, 0.75, 0.975, 0.9999999]
    chi = [(x, k) for k in (1, 2, 3, 4, 7, 10, 51, 400) for x in (0.001, 0.5, 1.0, 3.84, 10.0, 60.0, 420.0, 900.0)]
    return {
        "cdf": [[x, float(stats.norm.cdf(x))] for x in z],
        "survival": [[x, float(stats.norm.sf(x))] for x in z],
        "erfc": [[x, float(special.erfc(x))] for x in z],
        "quantile": [[x, float(stats.norm.ppf(x))] for x in p],
        "chi_square": [[x, k, float(stats.chi2.sf(x, k))] for x, k in chi],
    }


PACKAGES = ("numpy", "scipy", "statsmodels", "scikit-learn", "krippendorff")

reference = {
    "made_by": "make-reference.py",
    "versions": {name: version(name) for name in PACKAGES},
    "distributions": distribution_cases(),
    "describe": list(describe_cases()),
    "wilson": list(wilson_cases()),
    "several_runs": list(several_runs_cases()),
    "fisher": list(fisher_cases()),
    "two_samples": list(two_sample_cases()),
    "many_samples": list(many_sample_cases()),
    "corrections": list(correction_cases()),
    "kappa": list(kappa_cases()),
    "alpha": list(alpha_cases()),
    "bootstrap": list(bootstrap_cases()),
}

sections = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in reference.items())
Path(__file__).with_name("reference.json").write_text(f"{{\n{sections}\n}}\n")
