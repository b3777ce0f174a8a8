"""How many people of a place fit what a text tells of a person."""

from .estimate import Estimate
from .pipeline import PopulationGuard
from .report import Cost, PopulationRisk, population_risk

__all__ = ["Cost", "Estimate", "PopulationGuard", "PopulationRisk", "population_risk"]
