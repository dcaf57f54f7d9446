/** What a record of the planning structure is, for someone who has none yet. */
export const recordDescriptions = {
  area: 'An area is where a plan applies, such as a department.',
  subarea: 'A subarea divides areas, such as a cost centre. One subarea can be in several areas.',
  version:
    'A version is a plan with a table of its own, such as Budget 2027. Its milestones are the states of the plan.',
  helperTable: 'A helper table is a list that people maintain next to their plans, such as exchange rates.',
  group: 'A security group says which areas and versions its people may load.',
  entity: 'An entity is a company that plans refer to. Every row of a plan names one.',
} as const
