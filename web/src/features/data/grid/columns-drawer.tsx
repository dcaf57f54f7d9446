/** Chooses which columns are shown, which stay on the left, and how wide they are. */
import { Button, Checkbox } from '@mantine/core'
import type { DataColumn } from '@tributary/contract/data'
import { useState } from 'react'
import { CancelButton, Dialog } from '../../../ui/dialogs/dialog.tsx'
import { SearchInput } from '../../../ui/forms/search-input.tsx'
import css from './grid.module.css'
import { widthLimits } from './grid-layout.ts'
import type { GridLayout } from './use-grid-layout.ts'

interface ColumnsDrawerProps {
  layout: GridLayout
  onDescribe: (column: DataColumn) => void
  onClose: () => void
}

export function ColumnsDrawer({ layout, onDescribe, onClose }: ColumnsDrawerProps) {
  const [term, setTerm] = useState('')
  const found = layout.columns.filter(({ Name }) => Name.toLowerCase().includes(term.trim().toLowerCase()))
  return (
    <Dialog
      kind="drawer"
      title="Columns"
      subtitle="This browser remembers them for you."
      onClose={onClose}
      footer={
        <>
          <Button variant="subtle" disabled={layout.isDefault} onClick={() => layout.reset()}>
            Show the default columns
          </Button>
          <CancelButton>Close</CancelButton>
        </>
      }
    >
      <SearchInput label="Search the columns" value={term} onChange={setTerm} />
      <ul className={css.columnList}>
        {found.map((column) => (
          <ColumnChoice key={column.Name} column={column} layout={layout} onDescribe={() => onDescribe(column)} />
        ))}
      </ul>
    </Dialog>
  )
}

interface ColumnChoiceProps {
  column: DataColumn
  layout: GridLayout
  onDescribe: () => void
}

function ColumnChoice({ column: { Name, Type, Description }, layout, onDescribe }: ColumnChoiceProps) {
  const isPinned = layout.isPinned(Name)
  const width = layout.widthOf(Name)
  const resize = (by: number) => width !== undefined && layout.setWidth(Name, width + by)
  return (
    <li>
      <Checkbox
        label={Name}
        description={[Type, Description].filter((text) => text !== null).join(' · ')}
        checked={!layout.isHidden(Name)}
        onChange={() => layout.toggleHidden(Name)}
      />
      <div className={css.columnButtons}>
        <Button
          variant={isPinned ? 'filled' : 'default'}
          size="compact-xs"
          aria-pressed={isPinned}
          aria-label={`Pin ${Name}`}
          onClick={() => layout.togglePinned(Name)}
        >
          Pin
        </Button>
        <Button
          variant="default"
          size="compact-xs"
          disabled={width === undefined}
          aria-label={`Narrower ${Name}`}
          onClick={() => resize(-widthLimits.step)}
        >
          −
        </Button>
        <Button
          variant="default"
          size="compact-xs"
          disabled={width === undefined}
          aria-label={`Wider ${Name}`}
          onClick={() => resize(widthLimits.step)}
        >
          +
        </Button>
        <Button variant="default" size="compact-xs" aria-label={`Describe ${Name}`} onClick={onDescribe}>
          Describe
        </Button>
      </div>
    </li>
  )
}
