"""References: BibTeX of the papers behind methods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..methods import REGISTRY, get_method
from ..version import __version__

OURS = "entropick,\n  author = {{The entropick developers}},\n  title = {entropick: feature selection by information}"
TEX = {r"{\'a}": "á", r"{\c{c}}": "ç", r"{\"o}": "ö", r"{\v{S}}": "Š", r"$\ell_1$": "ℓ1"}
# as a method names its paper -> key, kind, authors, title, where, year
PAPERS: dict[str, tuple[str, str, str, str, str, int]] = {
    "Battiti 1994": (
        "battiti1994",
        "article",
        "Battiti, Roberto",
        "Using mutual information for selecting features in supervised neural net learning",
        "IEEE Transactions on Neural Networks",
        1994,
    ),
    "Bennasar, Hicks & Setchi 2015": (
        "bennasar2015",
        "article",
        "Bennasar, Mohamed and Hicks, Yulia and Setchi, Rossitza",
        "Feature selection using joint mutual information maximisation",
        "Expert Systems with Applications",
        2015,
    ),
    "Brown, Pocock, Zhao & Luján, JMLR 2012": (
        "brown2012",
        "article",
        r"Brown, Gavin and Pocock, Adam and Zhao, Ming-Jie and Luj{\'a}n, Mikel",
        "Conditional likelihood maximisation: a unifying framework for information theoretic feature selection",
        "Journal of Machine Learning Research",
        2012,
    ),
    "Cawley, Talbot & Girolami 2006": (
        "cawley2006",
        "inproceedings",
        "Cawley, Gavin C. and Talbot, Nicola L. C. and Girolami, Mark",
        "Sparse multinomial logistic regression via {Bayesian} {L1} regularisation",
        "Advances in Neural Information Processing Systems",
        2006,
    ),
    "Fleuret 2004": (
        "fleuret2004",
        "article",
        r"Fleuret, Fran{\c{c}}ois",
        "Fast binary feature selection with conditional mutual information",
        "Journal of Machine Learning Research",
        2004,
    ),
    "Guyon et al. 2002": (
        "guyon2002",
        "article",
        "Guyon, Isabelle and Weston, Jason and Barnhill, Stephen and Vapnik, Vladimir",
        "Gene selection for cancer classification using support vector machines",
        "Machine Learning",
        2002,
    ),
    "He, Cai & Niyogi 2005": (
        "he2005",
        "inproceedings",
        "He, Xiaofei and Cai, Deng and Niyogi, Partha",
        "Laplacian score for feature selection",
        "Advances in Neural Information Processing Systems",
        2005,
    ),
    "Jitkrittum, Hachiya & Sugiyama, IEICE 2013": (
        "jitkrittum2013",
        "article",
        "Jitkrittum, Wittawat and Hachiya, Hirotaka and Sugiyama, Masashi",
        "Feature selection via $\\ell_1$-penalized squared-loss mutual information",
        "IEICE Transactions on Information and Systems",
        2013,
    ),
    "Kraskov, Stögbauer & Grassberger 2004": (
        "kraskov2004",
        "article",
        r"Kraskov, Alexander and St{\"o}gbauer, Harald and Grassberger, Peter",
        "Estimating mutual information",
        "Physical Review E",
        2004,
    ),
    "Lefakis & Fleuret, AISTATS 2014": (
        "lefakis2014",
        "inproceedings",
        r"Lefakis, Leonidas and Fleuret, Fran{\c{c}}ois",
        "Jointly informative feature selection",
        "International Conference on Artificial Intelligence and Statistics",
        2014,
    ),
    "Lin & Tang 2006": (
        "lin2006",
        "inproceedings",
        "Lin, Dahua and Tang, Xiaoou",
        "Conditional infomax learning: an integrated framework for feature extraction and fusion",
        "European Conference on Computer Vision",
        2006,
    ),
    "Peng, Long & Ding 2005": (
        "peng2005",
        "article",
        "Peng, Hanchuan and Long, Fuhui and Ding, Chris",
        "Feature selection based on mutual information: criteria of max-dependency, max-relevance, and min-redundancy",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        2005,
    ),
    "Quinlan 1986": (
        "quinlan1986",
        "article",
        "Quinlan, J. Ross",
        "Induction of decision trees",
        "Machine Learning",
        1986,
    ),
    "Robnik-Šikonja & Kononenko 2003": (
        "robnik2003",
        "article",
        r"Robnik-{\v{S}}ikonja, Marko and Kononenko, Igor",
        "Theoretical and empirical analysis of {ReliefF} and {RReliefF}",
        "Machine Learning",
        2003,
    ),
    "Rodriguez-Lujan, Huerta, Elkan & Santa Cruz, JMLR 2010": (
        "rodriguez2010",
        "article",
        "Rodriguez-Lujan, Irene and Huerta, Ramon and Elkan, Charles and Santa Cruz, Carlos",
        "Quadratic programming feature selection",
        "Journal of Machine Learning Research",
        2010,
    ),
    "Ross 2014": (
        "ross2014",
        "article",
        "Ross, Brian C.",
        "Mutual information between discrete and continuous data sets",
        "PLoS ONE",
        2014,
    ),
    "Tibshirani 1996": (
        "tibshirani1996",
        "article",
        "Tibshirani, Robert",
        "Regression shrinkage and selection via the lasso",
        "Journal of the Royal Statistical Society, Series B",
        1996,
    ),
    "Suzuki, Sugiyama, Sese & Kanamori, FSDM 2008": (
        "suzuki2008",
        "inproceedings",
        "Suzuki, Taiji and Sugiyama, Masashi and Sese, Jun and Kanamori, Takafumi",
        "Approximating mutual information by maximum likelihood density ratio estimation",
        "New Challenges for Feature Selection in Data Mining and Knowledge Discovery",
        2008,
    ),
    "Vinh, Chan, Romano & Bailey, KDD 2014": (
        "vinh2014",
        "inproceedings",
        "Nguyen, Xuan Vinh and Chan, Jeffrey and Romano, Simone and Bailey, James",
        "Effective global approaches for mutual information based feature selection",
        "ACM SIGKDD Conference on Knowledge Discovery and Data Mining",
        2014,
    ),
    "Yang & Moody 1999": (
        "yang1999",
        "inproceedings",
        "Yang, Howard Hua and Moody, John",
        "Data visualization and feature selection: new algorithms for nongaussian data",
        "Advances in Neural Information Processing Systems",
        1999,
    ),
    "Yu & Liu 2004": (
        "yu2004",
        "article",
        "Yu, Lei and Liu, Huan",
        "Efficient feature selection via analysis of relevance and redundancy",
        "Journal of Machine Learning Research",
        2004,
    ),
    "Zhao & Liu 2007": (
        "zhao2007",
        "inproceedings",
        "Zhao, Zheng and Liu, Huan",
        "Spectral feature selection for supervised and unsupervised learning",
        "International Conference on Machine Learning",
        2007,
    ),
}


def cite(methods: Any = ()) -> str:
    """BibTeX of the library and of the papers behind these methods: names, or whatever has ``methods``.

    Papers whose full reference is not kept here are given as the catalogue names them, for the reader to complete.

    >>> print(cite("jmi").splitlines()[-4])
      title = {Data visualization and feature selection: new algorithms for nongaussian data},
    """
    for label in _named(methods):
        get_method(label)  # an unknown one is an error
    entries = [f"@software{{{OURS},\n  version = {{{__version__}}},\n}}", *map(_entry, _papers(methods))]
    return "\n\n".join(entries) + "\n"


def references(methods: Any) -> list[str]:
    """The same papers as lines that people read, for a report.

    >>> references("cmim")[0][:60]
    'Fleuret, François (2004). Fast binary feature selection with'
    """
    lines = []
    for paper in _papers(methods):
        if paper not in PAPERS:
            lines.append(f"{paper}.")
            continue
        _, _, author, title, where, year = PAPERS[paper]
        lines.append(_plain(f"{author.replace(' and ', '; ')} ({year}). {title}. {where}."))
    return lines


def _named(methods: Any) -> list[str]:
    """Names of the methods of this library among what `cite` takes."""
    named = getattr(methods, "methods", methods)
    labels: Iterable[Any] = [named] if isinstance(named, str) else named
    settings = getattr(methods, "settings", {}).get("methods", {})
    own = [settings.get(label, {"method": label}) for label in labels]
    return [one["method"] for one in own if "method" in one]


def _papers(methods: Any) -> list[str]:
    """Each paper once, as the catalogue names it; methods that this version does not know have none."""
    papers = [REGISTRY[name].paper for name in _named(methods) if name in REGISTRY]
    ours = "Lefakis & Fleuret, AISTATS 2014"
    papers = [ours if "after Lefakis & Fleuret 2014" in paper else paper for paper in papers]
    return [paper for paper in dict.fromkeys(papers) if paper and paper != "entropick"]


def _plain(text: str) -> str:
    """Without TeX: accents as letters, braces and dollars gone."""
    for tex, letter in TEX.items():
        text = text.replace(tex, letter)
    return "".join(letter for letter in text if letter not in "{}$")


def _entry(paper: str) -> str:
    if paper not in PAPERS:
        key = "".join(letter for letter in paper.lower() if letter.isalnum() and letter.isascii())
        return f"@misc{{{key},\n  note = {{{paper.replace('&', chr(92) + '&')}}},\n}}"
    key, kind, author, title, where, year = PAPERS[paper]
    place = "journal" if kind == "article" else "booktitle"
    lines = {"author": author, "title": title, place: where, "year": year}
    return f"@{kind}{{{key},\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in lines.items()) + "}"
