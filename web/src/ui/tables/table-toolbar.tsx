/** The line above a table: how many rows there are, then what can be done with the whole table, always in the same order. */
import { ActionIcon, Button } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { type ReactNode, use } from 'react'
import { MenuButton, type MenuChoices } from '../overlays/menu-button.tsx'
import css from './table-toolbar.module.css'
import { type ChosenColumns, type TableDensity, TableViewContext } from './table-view.ts'

export interface TableExport {
  readonly start: () => void
  readonly isPending?: boolean
}

interface TableToolbarProps {
  /** Number of rows, announced when it changes. */
  summary?: ReactNode
  /** Replaces the summary while rows are selected. */
  selection?: ReactNode
  exporting?: TableExport | undefined
  /** The button for density and columns. */
  children?: ReactNode
}

export function TableToolbar({ summary, selection, exporting, children }: TableToolbarProps) {
  return (
    <div className={css.toolbar} data-no-print>
      {selection ?? <output className={css.summary}>{summary}</output>}
      <div className={css.tools}>
        {exporting === undefined ? null : (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload />}
            loading={exporting.isPending === true}
            onClick={() => exporting.start()}
          >
            Export CSV
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}

const densityLabels: Readonly<Record<TableDensity, string>> = { comfortable: 'Comfortable', compact: 'Compact' }

interface TableViewButtonProps {
  caption: string
  /** Absent if only the density can be chosen. */
  columns?: ChosenColumns<unknown>
}

export function TableViewButton({ caption, columns }: TableViewButtonProps) {
  const { density, setDensity } = use(TableViewContext)
  const densities: MenuChoices = {
    title: 'Density',
    kind: 'radio',
    items: (['comfortable', 'compact'] as const).map((value) => ({
      label: densityLabels[value],
      isChecked: value === density,
      onSelect: () => setDensity(value),
    })),
  }
  const choices = columns === undefined || columns.choices.length === 0 ? [] : [columnChoices(columns)]
  const reset = { label: 'Show the default columns', icon: <IconArrowBackUp />, onSelect: () => columns?.reset() }
  return (
    <MenuButton
      position="bottom-end"
      width={220}
      withinPortal
      button={
        <ActionIcon
          variant="default"
          size={26}
          aria-label={`${choices.length === 0 ? 'Density' : 'Density and columns'} of ${caption}`}
        >
          <IconAdjustmentsHorizontal />
        </ActionIcon>
      }
      choices={[densities, ...choices]}
      items={columns?.isDefault === false ? [reset] : []}
    />
  )
}

function columnChoices({ choices, toggle }: ChosenColumns<unknown>): MenuChoices {
  return {
    title: 'Columns',
    kind: 'checkbox',
    items: choices.map(({ title, isVisible }) => ({
      label: title,
      isChecked: isVisible,
      onSelect: () => toggle(title),
    })),
  }
}
