/** The first step before anything can be linked: records on both sides. */
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import css from './link-editor.module.css'
import type { LinkNoun } from './links.ts'

interface NoRecordsProps {
  /** The sides without records. */
  nouns: readonly LinkNoun[]
  mayEdit: boolean
}

export function NoRecords({ nouns, mayEdit }: NoRecordsProps) {
  const names = nouns.map(({ title }) => title.toLowerCase())
  return (
    <EmptyState
      kind="first"
      title={`There are no ${names.join(' and no ')} yet.`}
      action={mayEdit ? <AddButtons nouns={nouns} /> : undefined}
    >
      You can link them here once there are some.
      {mayEdit ? null : ' An administrator of your organisation can add them.'}
    </EmptyState>
  )
}

function AddButtons({ nouns }: Pick<NoRecordsProps, 'nouns'>) {
  return (
    <div className={css.addButtons}>
      {nouns.map(({ title, page }) =>
        page === undefined ? null : (
          <Button key={page} component={Link} to={page}>
            {`Add ${title.toLowerCase()}`}
          </Button>
        ),
      )}
    </div>
  )
}
