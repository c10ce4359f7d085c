"""What `pyproject.toml` cannot say of the built package: the tables of `data/` travel inside it."""

from setuptools import find_namespace_packages, setup

TABLES = "ldpcore.tables.data"  # where `ldpcore.tables.table` looks for them, outside of a checkout

setup(
    packages=[*find_namespace_packages(include=["ldpcore*"]), TABLES],  # the pages run from a checkout
    package_dir={TABLES: "data"},
    package_data={"ldpcore": ["py.typed"], TABLES: ["*.csv"]},
)
