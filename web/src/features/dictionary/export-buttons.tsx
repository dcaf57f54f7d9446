import { Button } from '@mantine/core'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import css from './dictionary.module.css'
import { toMarkdown } from './dictionary-markdown.ts'

type ExportFormat = 'Markdown' | 'JSON'

/** Saves everything that the person may read, as a file. */
export function ExportButtons() {
  const { organisation } = useWorkspace()
  const exporting = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const tables = await call('GET /tributary/clients/:clientId/dictionary/export', {
        params: { clientId: organisation.Id },
      })
      if (format === 'Markdown') downloadFile('dictionary.md', toMarkdown(organisation.CompanyName, tables))
      else downloadFile('dictionary.json', `${JSON.stringify(tables, null, 2)}\n`)
    },
  })
  return (
    <div className={css.bar}>
      {(['Markdown', 'JSON'] as const).map((format) => (
        <Button
          key={format}
          variant="default"
          loading={exporting.isPending && exporting.variables === format}
          onClick={() => exporting.mutate(format)}
        >
          Export as {format}
        </Button>
      ))}
      <MutationError of={exporting} />
    </div>
  )
}
