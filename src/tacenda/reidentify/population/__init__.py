"""Number of people of a place who fit what a text reveals about a person."""

from .estimate import PeopleEstimate
from .pipeline import PopulationGuard
from .report import ClueCost, PopulationRisk, population_risk

__all__ = ["ClueCost", "PeopleEstimate", "PopulationGuard", "PopulationRisk", "population_risk"]
