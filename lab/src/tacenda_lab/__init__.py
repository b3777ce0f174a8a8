"""What tacenda is made with: recipes, baselines, further indicators and reproductions of published tables."""
