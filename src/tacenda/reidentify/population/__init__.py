"""How many people in a place fit what a text reveals about a person."""

from .estimate import PeopleEstimate
from .pipeline import PopulationGuard
from .report import ClueCost, PopulationRisk, population_risk

__all__ = ["ClueCost", "PeopleEstimate", "PopulationGuard", "PopulationRisk", "population_risk"]
