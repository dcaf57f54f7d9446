/** The filters of a table, each as a chip that changes or removes it, and the button that adds one. */
import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { IconX } from '@tabler/icons-react/visitor-icons'
import type { DataFilter, DataTable } from '@tributary/contract/data'
import { useState } from 'react'
import { lazyDialog } from '../../../ui/lazy.tsx'
import { describeFilter } from '../data-words.ts'
import css from './filters.module.css'

const LazyFilterDialog = lazyDialog(() => import('./filter-dialog.tsx'), 'FilterDialog')

interface FilterBarProps {
  table: DataTable
  filters: readonly DataFilter[]
  onChange: (filters: readonly DataFilter[]) => void
}

export function FilterBar({ table, filters, onChange }: FilterBarProps) {
  const [edited, setEdited] = useState<number | null>(null)
  const close = () => setEdited(null)
  function save(filter: DataFilter) {
    const isNew = edited === null || edited >= filters.length
    onChange(isNew ? [...filters, filter] : filters.map((one, index) => (index === edited ? filter : one)))
    close()
  }
  return (
    <div className={css.bar}>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconFilter />}
        onClick={() => setEdited(filters.length)}
      >
        Filter
      </Button>
      <ul className={css.chips} aria-label="Filters">
        {filters.map((filter, index) => (
          <li key={JSON.stringify(filter)} className={css.chip}>
            <button type="button" className={css.words} onClick={() => setEdited(index)}>
              {describeFilter(filter)}
            </button>
            <button
              type="button"
              className={css.remove}
              aria-label={`Remove the filter ${describeFilter(filter)}`}
              onClick={() => onChange(filters.filter((_, other) => other !== index))}
            >
              <IconX size={14} />
            </button>
          </li>
        ))}
      </ul>
      {edited === null ? null : (
        <LazyFilterDialog columns={table.Columns} filter={filters[edited]} onSave={save} onClose={close} />
      )}
    </div>
  )
}
