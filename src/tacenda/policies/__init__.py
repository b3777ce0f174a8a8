"""The policies that ship, one YAML file each, and how a policy is read and its rules checked.

| file | what |
|---|---|
| ``*.yaml`` | a shipped policy; its name is the file's |
| ``rule.py`` | an entry of an allow or deny list, or of the operators by entity |
| ``key.py`` | where a key comes from |
| ``repetition.py`` | which regular expressions are refused |
| ``matching.py`` | regular expressions in limited time |
| ``source.py`` | YAML with the line of every field |
"""
