"""Prints paired-reference.json: what SciPy and statsmodels compute for the tests, errors and intervals of `report`.

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    venv/bin/python test/statistics/make-paired-reference.py > test/statistics/paired-reference.json

Where SciPy has no function (tests stratified by query, intervals by inversion of a rank test) the exact distribution is
made here from whole numbers, another way than ours, and the median and order statistics are NumPy's.
"""

import itertools
import json
import math
import warnings
from fractions import Fraction
from importlib.metadata import version

import numpy as np
import statsmodels.api as sm
from scipy import stats

warnings.filterwarnings("ignore")
EXACT_UP_TO = 200


# --- tests over queries ------------------------------------------------------------------------------------------------


def signed_rank_counts(doubled_ranks):
    """How many of the 2^n ways to sign the ranks give each sum of the positive ones, doubled: whole numbers."""
    counts = [1]
    for rank in doubled_ranks:
        longer = [0] * (len(counts) + rank)
        for at, count in enumerate(counts):
            longer[at] += count
            longer[at + rank] += count
        counts = longer
    return counts


def signed_rank(differences):
    d = np.array([x for x in differences if x != 0.0])
    if len(d) == 0:
        return 1.0
    sizes = np.abs(d)
    tied = len(np.unique(sizes)) < len(d)
    if len(d) > EXACT_UP_TO:
        return float(stats.wilcoxon(d, method="asymptotic").pvalue)
    if not tied and len(d) <= 50:
        return float(stats.wilcoxon(d, method="exact").pvalue)
    if len(d) <= 10:
        ranks = stats.rankdata(sizes)
        test = stats.permutation_test(
            (d,),
            lambda x, axis: np.where(x > 0, np.broadcast_to(ranks, x.shape), 0).sum(axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=True,
        )
        return float(min(1.0, test.pvalue))
    doubled = [int(round(2 * rank)) for rank in stats.rankdata(sizes)]
    counts = signed_rank_counts(doubled)
    positive = sum(rank for rank, x in zip(doubled, d) if x > 0)
    larger = max(positive, sum(doubled) - positive)
    return float(min(Fraction(1), Fraction(2 * sum(counts[larger:]), 2 ** len(d))))


def accepted_sum(n, tail):
    """The smallest sum of ranks whose lower tail is more than `tail`, without ties."""
    if n > EXACT_UP_TO:
        spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return math.floor(n * (n + 1) / 4 - stats.norm.isf(tail) * spread) + 1
    counts = signed_rank_counts(range(1, n + 1))
    below = 0
    for at, count in enumerate(counts):
        below += count
        if Fraction(below, 2**n) > Fraction(tail) * (1 + Fraction(1, 10**12)):
            return at
    return len(counts)


def typical_difference(differences, confidence):
    d = np.array(differences)
    i, j = np.triu_indices(len(d))
    walsh = np.sort((d[i] + d[j]) / 2)
    k = accepted_sum(len(d), (1 - confidence) / 2)
    interval = None if k < 1 else (float(walsh[k - 1]), float(walsh[len(walsh) - k]))
    return float(np.median(walsh)), interval


# --- tests over runs, by query -----------------------------------------------------------------------------------------


def rank_sum_counts(doubled_ranks, chosen):
    """How many ways to choose so many of the ranks give each doubled sum: whole numbers."""
    ways = {(0, 0): 1}
    for rank in doubled_ranks:
        further = dict(ways)
        for (m, total), count in ways.items():
            if m < chosen:
                key = (m + 1, total + rank)
                further[key] = further.get(key, 0) + count
        ways = further
    return {total: count for (m, total), count in ways.items() if m == chosen}


def stratum_counts(first, second):
    doubled = [int(round(2 * rank)) for rank in stats.rankdata(np.concatenate([first, second]))]
    n = len(first)
    return {total - n * (n + 1): count for total, count in rank_sum_counts(doubled, n).items()}


def convolved(tables):
    result = {0: 1}
    for table in tables:
        further = {}
        for (a, count), (b, other) in itertools.product(result.items(), table.items()):
            further[a + b] = further.get(a + b, 0) + count * other
        result = further
    return result


def u_of(first, second):
    pairs = np.subtract.outer(np.array(first), np.array(second))
    return float((pairs > 0).sum() + 0.5 * (pairs == 0).sum())


def stratified_variance(strata):
    variance = 0.0
    for first, second in strata:
        pooled = np.concatenate([first, second])
        n = len(pooled)
        ties = sum(c**3 - c for c in np.unique(pooled, return_counts=True)[1])
        variance += len(first) * len(second) / 12 * ((n + 1) - ties / (n * (n - 1)))
    return variance


def is_quick(strata):
    """The rule by which `report` computes an exact distribution."""
    steps = 0
    for first, second in strata:
        total = len(first) + len(second)
        steps += total * min(len(first), len(second)) ** 2 * 2 * total
    width = sum(2 * len(first) * len(second) for first, second in strata)
    return steps + width * width <= 2e7


def stratified_rank_sum(strata):
    u = sum(u_of(first, second) for first, second in strata)
    pairs = sum(len(first) * len(second) for first, second in strata)
    if not is_quick(strata):
        if len(strata) == 1:
            return float(stats.mannwhitneyu(*strata[0], method="asymptotic").pvalue)
        variance = stratified_variance(strata)
        if variance == 0:
            return 1.0
        return float(min(1.0, 2 * stats.norm.sf((abs(u - pairs / 2) - 0.5) / math.sqrt(variance))))
    if len(strata) == 1:
        first, second = strata[0]
        distinct = len(set(first) | set(second)) == len(first) + len(second)
        if distinct and len(first) * len(second) <= 2500:
            return float(stats.mannwhitneyu(first, second, method="exact").pvalue)
    counts = convolved([stratum_counts(first, second) for first, second in strata])
    total = sum(counts.values())
    below = sum(count for at, count in counts.items() if at <= 2 * u)
    above = sum(count for at, count in counts.items() if at >= 2 * u)
    return float(min(Fraction(1), Fraction(2 * min(below, above), total)))


def typical_shift(strata, confidence):
    differences = np.sort(
        np.concatenate([np.subtract.outer(np.array(first), np.array(second)).ravel() for first, second in strata])
    )
    tail = (1 - confidence) / 2
    if is_quick(strata):
        counts = convolved(
            [stratum_counts(range(len(f)), range(len(f), len(f) + len(s))) for f, s in strata]
        )
        total = sum(counts.values())
        below, k = 0, 0
        for at in sorted(counts):
            below += counts[at]
            if Fraction(below, total) > Fraction(tail) * (1 + Fraction(1, 10**12)):
                k = at // 2
                break
    else:
        distinct = [(range(len(f)), range(len(f), len(f) + len(s))) for f, s in strata]
        pairs = len(differences)
        k = max(0, math.floor(pairs / 2 - 0.5 - stats.norm.isf(tail) * math.sqrt(stratified_variance(distinct))) + 1)
    interval = None if k < 1 else (float(differences[k - 1]), float(differences[len(differences) - k]))
    return float(np.median(differences)), interval


def stratified_fisher(tables):
    if len(tables) == 1:
        (a, b), (c, d) = tables[0]
        return float(stats.fisher_exact(tables[0]).pvalue), c / (c + d) - a / (a + b)
    shares = np.array([1.0])
    seen = 0
    excess = weight = 0.0
    for (a, b), (c, d) in tables:
        low, high = max(0, a + c - (c + d)), min(a + b, a + c)
        pmf = stats.hypergeom(a + b + c + d, a + c, a + b).pmf(np.arange(low, high + 1))
        shares = np.convolve(shares, pmf)
        seen += a - low
        excess += (c * (a + b) - a * (c + d)) / (a + b + c + d)
        weight += (a + b) * (c + d) / (a + b + c + d)
    p = float(min(1.0, shares[shares <= shares[seen] * (1 + 1e-7)].sum()))
    return p, excess / weight


# --- errors and intervals ----------------------------------------------------------------------------------------------


def clustered(clusters, confidence):
    """Mean of all values with standard error and interval, clustered, by statsmodels; None for fewer than two clusters."""
    filled = [values for values in clusters if len(values) > 0]
    if len(filled) < 2:
        return None
    values = np.concatenate(filled)
    groups = np.concatenate([[at] * len(one) for at, one in enumerate(filled)])
    if np.ptp(values) == 0:
        return float(values[0]), 0.0, float(values[0]), float(values[0])
    fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    low, high = fit.conf_int(1 - confidence)[0]
    return float(fit.params[0]), float(fit.bse[0]), float(low), float(high)


# --- fixed vectors -----------------------------------------------------------------------------------------------------


def vectors():
    rng = np.random.default_rng(20_261_101)
    signed = []
    for n, digits in ((1, 1), (6, 3), (8, 0), (8, 3), (12, 0), (20, 1), (50, 3), (60, 0), (240, 1)):
        d = [float(x) for x in np.round(rng.normal(0.4, 1.5, n), digits)]
        case = {"differences": d, "p": signed_rank(d)}
        case["estimate"], interval = typical_difference(d, 0.95)
        case["interval"] = interval
        signed.append(case)
    # Eight queries that each cost a fifth more.
    signed.append({"differences": [0.2] * 8, "p": signed_rank([0.2] * 8), "estimate": 0.2, "interval": [0.2, 0.2]})
    strata = []
    for sizes, digits in ((((4, 5),), 3), (((6, 6),), 0), (((3, 3), (4, 2)), 0), (((2, 3), (3, 4), (5, 1)), 1), (((70, 80), (60, 90)), 1)):
        one = [[[float(x) for x in np.round(rng.normal(shift, 1, n), digits)] for n, shift in zip(pair, (0.8, 0))] for pair in sizes]
        case = {"strata": one, "p": stratified_rank_sum(one)}
        case["estimate"], case["interval"] = typical_shift([(np.array(f), np.array(s)) for f, s in one], 0.95)
        strata.append(case)
    tables = []
    for count in (1, 2, 3, 5):
        one = [rng.integers(0, 9, size=(2, 2)).tolist() for _ in range(count)]
        one = [[[a + 1, b], [c, d + 1]] for (a, b), (c, d) in one]
        p, difference = stratified_fisher(one)
        tables.append({"tables": one, "p": p, "difference": difference})
    clusters = []
    for sizes in ((1, 1, 1, 1, 1), (3, 3), (5, 1, 2, 7), (10, 10, 10, 10, 10, 10)):
        one = [[float(x) for x in np.round(rng.normal(rng.normal(), 0.5, n), 3)] for n in sizes]
        for confidence in (0.9, 0.95):
            mean, error, low, high = clustered(one, confidence)
            clusters.append({"clusters": one, "confidence": confidence, "mean": mean, "error": error, "low": low, "high": high})
    blocks = [[[float(x) for x in np.round(rng.normal(0, 1, 4), digits)] for _ in range(7)] for digits in (0, 2)]
    friedman = [{"blocks": one, "p": float(r.pvalue), "statistic": float(r.statistic)} for one in blocks for r in [stats.friedmanchisquare(*zip(*one))]]
    t = [[df, c, float(stats.t.ppf((1 + c) / 2, df))] for df in (1, 2, 5, 9, 30, 200, 5000) for c in (0.5, 0.9, 0.95, 0.999)]
    print(
        json.dumps(
            {
                "versions": {name: version(name) for name in ("scipy", "statsmodels", "numpy")},
                "student_t": t,
                "signed_rank": signed,
                "stratified_rank_sum": strata,
                "stratified_fisher": tables,
                "clustered": clusters,
                "friedman": friedman,
            }
        )
    )


vectors()
