/** Downloads an empty workbook with the columns of a table. */
import type { LoadTargetTable } from '@tributary/contract/loads'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { messageOf } from '@tributary/client/call-error'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useDownloadTemplate } from './api.ts'
import css from './loads.module.css'

export function TemplateDownloadButton({ table }: { table: LoadTargetTable }) {
  const save = useDownloadTemplate()
  return (
    <>
      <ErrorBanner message={save.error === null ? null : messageOf(save.error)} onDismiss={save.reset} />
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
