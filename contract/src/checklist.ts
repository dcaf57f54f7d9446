/** The checklists of a new organisation. Facts complete their steps. */
import * as z from 'zod'

export const checklistSteps = {
  /** From a source to a report. `connectReport` is left out if the rows go to the organisation's own database. */
  connect: ['connectSource', 'firstRun', 'seeRows', 'connectReport', 'inviteColleague'],
  /** From a structure to the first load from Excel. */
  excel: ['areas', 'versions', 'tables', 'groups', 'firstLoad'],
} as const

export type ChecklistName = keyof typeof checklistSteps
export const checklistNames = ['connect', 'excel'] as const satisfies readonly ChecklistName[]
export type ChecklistStep = (typeof checklistSteps)[ChecklistName][number]

const stepNames = [...checklistSteps.connect, ...checklistSteps.excel] as const

export const Checklist = z.object({
  Name: z.enum(checklistNames),
  Steps: z.array(z.object({ Name: z.enum(stepNames), Done: z.boolean() })),
})
export type Checklist = z.infer<typeof Checklist>
