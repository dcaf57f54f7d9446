import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'

/** For a table that was dropped or renamed, or that the person may no longer read. */
export function MissingTable() {
  return (
    <EmptyState
      kind="noMatch"
      title="This table is not there, or you may not read it."
      action={
        <Button component={Link} to={paths.data} variant="default">
          Back to the tables
        </Button>
      }
    >
      It may have been dropped or renamed, or your rights may have changed.
    </EmptyState>
  )
}
