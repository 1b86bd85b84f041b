"""What SciPy and statsmodels say of the tests, errors and intervals of `report`.

    reference.py check < cases.json      compares the reports of test/long/statistics/run.ts, prints the largest differences
    reference.py vectors                 prints the fixed vectors of test/statistics/paired-reference.json

Where SciPy has no function (tests stratified by query, intervals by inversion of a rank test) the exact distribution is
made here from whole numbers, another way than ours, and the median and order statistics are NumPy's.
"""

import itertools
import json
import math
import sys
import warnings
from fractions import Fraction
from importlib.metadata import version

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

warnings.filterwarnings("ignore")
EXACT_UP_TO = 200
FEWEST_QUERIES = 6
RATIO = ("cost_usd", "latency_ms")


def is_ratio(metric):
    return metric in RATIO or metric.endswith("_tokens")


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


# --- whole reports -----------------------------------------------------------------------------------------------------


class Differences:
    def __init__(self):
        self.largest = {}
        self.counts = {}
        self.wrong = []

    def close(self, what, ours, theirs, where):
        self.counts[what] = self.counts.get(what, 0) + 1
        if (ours is None) != (theirs is None):
            self.wrong.append(f"{where}: {what}: {ours} beside {theirs}")
            return
        if ours is None:
            return
        error = abs(ours - theirs) / max(1.0, abs(theirs))
        if error > self.largest.get(what, (-1.0, ""))[0]:
            self.largest[what] = (error, where)
        if not error <= 1e-9:
            self.wrong.append(f"{where}: {what}: {ours} beside {theirs}")

    def same(self, what, ours, theirs, where):
        self.counts[what] = self.counts.get(what, 0) + 1
        if ours != theirs:
            self.wrong.append(f"{where}: {what}: {ours} beside {theirs}")


def value_of(run, metric):
    if metric == "pass_rate":
        return {"pass": 1.0, "warn": 1.0, "fail": 0.0}.get(run["outcome"])
    return run["metrics"].get(metric)


def values_by_query(runs, metric):
    queries = {}
    for run in runs:
        value = value_of(run, metric)
        if value is not None:
            queries.setdefault(run["query"], []).append(value)
    return queries


def cleaned(change, size):
    return 0.0 if abs(change) <= 1e-12 * size else float(f"{change:.11e}")


def expected_comparison(a, b, metric, confidence):
    of_a, of_b = values_by_query(a, metric), values_by_query(b, metric)
    shared = sorted(set(of_a) & set(of_b))
    pairs = [(np.array(of_a[q]), np.array(of_b[q])) for q in shared]
    if not pairs:
        return None
    means = [(math.fsum(x) / len(x), math.fsum(y) / len(y)) for x, y in pairs]
    positive = all((x > 0).all() and (y > 0).all() for x, y in pairs)
    ratio = is_ratio(metric) and positive
    differences = [cleaned(y - x, max(abs(x), abs(y))) for x, y in means]
    expected = {
        "queries": len(pairs),
        "higher": sum(d > 0 for d in differences),
        "lower": sum(d < 0 for d in differences),
        "mean_a": math.fsum(x for x, _ in means) / len(means),
        "mean_b": math.fsum(y for _, y in means) / len(means),
        "difference": clustered([[y - x] for x, y in means], confidence),
        "estimate": None,
        "interval": None,
    }
    if len(pairs) >= FEWEST_QUERIES:
        changes = [0.0 if d == 0 else cleaned(math.log(y / x), 1) for d, (x, y) in zip(differences, means)] if ratio else differences
        expected["p"] = signed_rank(changes)
        if metric != "pass_rate":
            expected["estimate"], expected["interval"] = typical_difference(changes, confidence)
    elif metric == "pass_rate":
        tables = [[[int((x == 1).sum()), int((x == 0).sum())], [int((y == 1).sum()), int((y == 0).sum())]] for x, y in pairs]
        expected["p"], expected["effect"] = stratified_fisher(tables)
    else:
        strata = [(np.log(y), np.log(x)) for x, y in pairs] if ratio else [(y, x) for x, y in pairs]
        expected["p"] = stratified_rank_sum([(y, x) for x, y in pairs])
        expected["estimate"], expected["interval"] = typical_shift(strata, confidence)
    if ratio and expected["estimate"] is not None:
        expected["estimate"] = math.expm1(expected["estimate"])
        if expected["interval"] is not None:
            expected["interval"] = tuple(math.expm1(x) for x in expected["interval"])
    return expected


def check_group(is_, group, runs, case, where):
    confidence = case["confidence"]
    for metric in ("pass_rate", *case["metrics"]):
        ours = group["pass_rate"] if metric == "pass_rate" else group["metrics"].get(metric)
        queries = values_by_query(runs, metric)
        if ours is None or not queries:
            continue
        values = np.concatenate(list(queries.values()))
        place = f"{where} {metric}"
        is_.close("mean", ours["mean"], math.fsum(values) / len(values), place)
        theirs = clustered(list(queries.values()), confidence)
        if theirs is None:
            is_.same("no clustered error", ours.get("clustered"), None, place)
        else:
            is_.close("clustered standard error", ours["clustered"]["standard_error"], theirs[1], place)
            is_.close("clustered interval", ours["clustered"]["low"], theirs[2], place)
            is_.close("clustered interval", ours["clustered"]["high"], theirs[3], place)
        if metric != "pass_rate":
            method = "linear" if case["percentile"] == "linear" else "inverted_cdf"
            for p in (25, 50, 75, 95, 99):
                is_.close(f"percentile, {method}", ours[f"p{p}"], float(np.percentile(values, p, method=method)), place)
        if case["interval"] == "z":
            interval = ours if metric == "pass_rate" else ours["interval"]
            if interval is not None and len(values) > 1 and np.ptp(values) > 0:
                low, high = sm.stats.DescrStatsW(values).zconfint_mean(1 - confidence)
                is_.close("z interval", interval["low"], float(low), place)
                is_.close("z interval", interval["high"], float(high), place)
        elif metric == "pass_rate":
            low, high = proportion_confint(values.sum(), len(values), 1 - confidence, method="wilson")
            is_.close("Wilson interval", ours["low"], float(low), place)
            is_.close("Wilson interval", ours["high"], float(high), place)


def check_case(is_, case, number):
    groups = {}
    for run in case["runs"]:
        groups.setdefault(run["group"], []).append(run)
    report = case["report"]
    for group in report["groups"]:
        check_group(is_, group, groups[group["key"]], case, f"case {number}, {group['key']}")
    ps = []
    for ours in report["across"]["comparisons"]:
        where = f"case {number}, {ours['a']} to {ours['b']}, {ours['metric']}"
        theirs = expected_comparison(groups[ours["a"]], groups[ours["b"]], ours["metric"], case["confidence"])
        if theirs is None:
            is_.same("no p-value", ours["p"], None, where)
            continue
        kind = ours["test"]
        is_.counts[f"test {kind}"] = is_.counts.get(f"test {kind}", 0) + 1
        is_.close(f"p, {'sign or signed-rank' if theirs['queries'] >= FEWEST_QUERIES else 'runs by query'}", ours["p"], theirs["p"], where)
        is_.same("queries higher and lower", (ours["queries"], ours["higher"], ours["lower"]), (theirs["queries"], theirs["higher"], theirs["lower"]), where)
        is_.close("mean", ours["mean_a"], theirs["mean_a"], where)
        is_.close("mean", ours["mean_b"], theirs["mean_b"], where)
        if "effect" in theirs:
            is_.close("difference of rates (Mantel-Haenszel)", ours["effect"], theirs["effect"], where)
        if theirs["difference"] is not None:
            mean, error, low, high = theirs["difference"]
            is_.close("difference, mean", ours["difference"]["mean"], mean, where)
            is_.close("difference, clustered standard error", ours["difference"]["standard_error"], error, where)
            is_.close("difference, clustered interval", ours["difference"]["low"], low, where)
            is_.close("difference, clustered interval", ours["difference"]["high"], high, where)
        if theirs["estimate"] is not None:
            is_.close("typical change", ours["change"]["estimate"], theirs["estimate"], where)
            low, high = theirs["interval"] or (None, None)
            is_.close("typical change, interval", ours["change"]["low"], low, where)
            is_.close("typical change, interval", ours["change"]["high"], high, where)
        ps.append((ours["p"], ours["p_adjusted"], where))
    if ps:
        method = {"holm": "holm", "bh": "fdr_bh", "bonferroni": "bonferroni"}[case["adjust"]]
        adjusted = multipletests([p for p, _, _ in ps], method=method)[1]
        for (_, ours, where), theirs in zip(ps, adjusted):
            is_.close(f"adjusted p, {case['adjust']}", ours, float(theirs), where)
    for ours in report["across"]["omnibus"]:
        names = [group["key"] for group in report["groups"]]
        by_group = [values_by_query(groups[name], ours["metric"]) for name in names]
        if ours["test"] == "friedman":
            shared = sorted(set.intersection(*(set(one) for one in by_group)))
            blocks = [[float(f"{math.fsum(one[q]) / len(one[q]):.11e}") for q in shared] for one in by_group]
            if len(shared) < 2 or all(len({column[at] for column in blocks}) == 1 for at in range(len(shared))):
                continue
            theirs = stats.friedmanchisquare(*blocks)
        else:
            samples = [np.concatenate(list(one.values())) for one in by_group if one]
            if np.ptp(np.concatenate(samples)) == 0:
                continue
            theirs = stats.kruskal(*samples)
        is_.close(f"p, {ours['test']}", ours["p"], float(theirs.pvalue), f"case {number}, {ours['metric']}")


def check():
    cases = json.load(sys.stdin)
    is_ = Differences()
    for number, case in enumerate(cases):
        check_case(is_, case, number)
    print(
        json.dumps(
            {
                "versions": {name: version(name) for name in ("scipy", "statsmodels", "numpy")},
                "reports": len(cases),
                "groups": sum(len(case["report"]["groups"]) for case in cases),
                "compared": is_.counts,
                "largest": {what: {"difference": error, "where": where} for what, (error, where) in is_.largest.items()},
                "wrong": is_.wrong[:20],
                "wrongCount": len(is_.wrong),
            }
        )
    )


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


{"check": check, "vectors": vectors}[sys.argv[1]]()
