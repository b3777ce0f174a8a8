"""How many people of a place fit what a text tells of a person."""

from .estimate import PeopleEstimate
from .pipeline import PopulationGuard
from .report import ClueCost, PopulationRisk, population_risk

__all__ = ["ClueCost", "PeopleEstimate", "PopulationGuard", "PopulationRisk", "population_risk"]
