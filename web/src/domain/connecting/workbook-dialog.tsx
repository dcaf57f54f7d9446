/** Chooses the tables of a workbook with live queries. */
import { Button } from '@mantine/core'
import { workbookSources } from '@tributary/contract/connection-lines'
import { workbookTablesMax } from '@tributary/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { CheckboxList } from '../link-editor/checkbox-list.tsx'
import { MutationError } from '../requests/mutation-error.tsx'
import { QueryResult } from '../requests/query-result.tsx'

const tablesQuery = (clientId: string) =>
  callQuery(['report-tables', clientId], 'GET /tributary/clients/:clientId/reports/tables', { params: { clientId } })

type WorkbookSource = (typeof workbookSources)[number]

const sourceTexts: Readonly<Record<WorkbookSource, { readonly label: string; readonly help: string }>> = {
  feed: { label: 'the OData feed', help: 'Excel asks for an access token. Nothing needs to be installed.' },
  database: {
    label: 'the database',
    help: 'Excel asks for your database login, and needs the provider Npgsql on the computer. Faster for large tables.',
  },
}

export function WorkbookDialog({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const query = useQuery(tablesQuery(clientId))
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [source, setSource] = useState<WorkbookSource>('feed')
  const download = useDownload(clientId, onClose)
  const isTooMany = picked.size > workbookTablesMax
  return (
    <Dialog
      title="Excel workbook"
      subtitle={`Choose up to ${workbookTablesMax} tables. Each becomes a sheet.`}
      isBusy={download.isPending}
      onClose={onClose}
      onSubmit={() => download.mutate({ source, picked })}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={download.isPending} disabled={picked.size === 0 || isTooMany}>
            Download workbook
          </Button>
        </>
      }
    >
      <MutationError of={download} />
      <RadioGroup
        label="The workbook reads"
        choices={workbookSources.map((value) => ({ value, ...sourceTexts[value] }))}
        value={source}
        onChange={setSource}
      />
      {isTooMany ? <p role="alert">{`A workbook holds at most ${workbookTablesMax} tables. Untick some.`}</p> : null}
      <QueryResult query={query} loading={<SkeletonLines count={8} height={32} />}>
        {(tables) => (
          <CheckboxList
            what="tables"
            items={tables.map(({ Schema, Name }) => ({
              id: JSON.stringify([Schema, Name]),
              name: Name,
              detail: Schema,
            }))}
            picked={picked}
            onPick={setPicked}
            hasFocus
          />
        )}
      </QueryResult>
    </Dialog>
  )
}

interface WorkbookChoice {
  readonly source: WorkbookSource
  readonly picked: ReadonlySet<string>
}

function useDownload(clientId: string, onDownloaded: () => void) {
  return useMutation({
    mutationFn: ({ source, picked }: WorkbookChoice) => {
      const tables = [...picked].map((id) => {
        const [schema = '', name = ''] = JSON.parse(id) as readonly string[]
        return { schema, name }
      })
      return call('POST /tributary/clients/:clientId/reports/workbook', {
        params: { clientId },
        body: { source, tables },
      })
    },
    onSuccess: (file) => {
      downloadFile('tributary.xlsx', file)
      onDownloaded()
    },
  })
}
