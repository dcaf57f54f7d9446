/** Downloads an empty workbook with the columns of a table. */
import type { LoadTargetTable } from '@tributary/contract/loads'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useDownloadTemplate } from './api.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import css from './loads.module.css'

export function TemplateDownloadButton({ table }: { table: LoadTargetTable }) {
  const save = useDownloadTemplate()
  return (
    <>
      <MutationError of={save} />
      <div className={css.actions}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload />}
          loading={save.isPending}
          onClick={() => save.mutate(table)}
        >
          Download template
        </Button>
      </div>
    </>
  )
}
