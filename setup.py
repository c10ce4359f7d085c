"""What `pyproject.toml` cannot say of the built package: the tables of `data/` travel inside it."""

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

TABLES = "ldpcore.tables.data"  # where `ldpcore.tables.table` looks for them, outside of a checkout


class Modules(build_py):
    """Every module of the packages, and of the tables none: the script that makes them stays in the checkout."""

    def find_package_modules(self, package, package_dir):
        return [] if package == TABLES else super().find_package_modules(package, package_dir)


setup(
    packages=[*find_namespace_packages(include=["ldpcore*"]), TABLES],  # the pages run from a checkout
    package_dir={TABLES: "data"},
    package_data={"ldpcore": ["py.typed"], TABLES: ["*.csv"]},
    cmdclass={"build_py": Modules},
)
