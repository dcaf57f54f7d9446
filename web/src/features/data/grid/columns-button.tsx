import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { DataColumn } from '@tributary/contract/data'
import { useState } from 'react'
import { lazyDialog } from '../../../ui/lazy.tsx'
import type { GridLayout } from './use-grid-layout.ts'

const LazyColumnsDrawer = lazyDialog(() => import('./columns-drawer.tsx'), 'ColumnsDrawer')

interface ColumnsButtonProps {
  layout: GridLayout
  onDescribe: (column: DataColumn) => void
}

export function ColumnsButton({ layout, onDescribe }: ColumnsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const hidden = layout.columns.length - layout.visible.length
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconAdjustmentsHorizontal />}
        onClick={() => setOpen(true)}
      >
        {hidden === 0 ? 'Columns' : `Columns (${hidden} hidden)`}
      </Button>
      {isOpen ? (
        <LazyColumnsDrawer
          layout={layout}
          onDescribe={(column) => {
            setOpen(false)
            onDescribe(column)
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
