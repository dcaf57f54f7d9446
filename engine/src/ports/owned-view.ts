/** Views in a target that belong to a connector. */
import type { StatementNames } from './view-names.ts'

export interface OwnedView {
  readonly name: string
  select(names: StatementNames): string
  /** The SELECT without other views, for comparison. A view over a view that changes must be replaced, too. */
  definition(names: StatementNames): string
}

export type DefinedView = 'defined' | 'unchanged' | 'taken'
