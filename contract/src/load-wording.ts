/** How portal and task pane write what a load holds. Pure, and free of zod, because browsers import it. */
import type { LoadSlice } from './loads.ts'

export const columnTypeWords = {
  text: 'text',
  number: 'number',
  date: 'date',
  moment: 'date and time',
  truth: 'true or false',
} as const

/** A load into a helper table has one slice, without names. */
export function describeSlice({
  Entity,
  Area,
  Subarea,
  Milestone,
}: Pick<LoadSlice, 'Entity' | 'Area' | 'Subarea' | 'Milestone'>): string {
  const names = [Entity, Area, Subarea, Milestone].filter((name) => name !== '')
  return names.length === 0 ? 'The whole table' : names.join(' / ')
}
