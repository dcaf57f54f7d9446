/** Issues the certificate of a month, prints it, and downloads its JSON. */
import { Button } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import type { Certificate } from '@tributary/contract/certificates'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useDownloadCertificate } from '../../domain/certificates/download-certificate.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { certificateKey } from './api.ts'

interface CertificateToolsProps {
  readonly ids: ConnectorParams
  readonly runId: string
  readonly period: string
  /** Undefined: not issued yet. */
  readonly issued: Certificate | undefined
}

export function CertificateTools({ ids, runId, period, issued }: CertificateToolsProps) {
  const queries = useQueryClient()
  const issuing = useMutation({
    mutationFn: () =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/tie-out/certificate', {
        params: ids,
        body: { runId, period },
      }),
    // Also after a refusal: a later run may have been compared.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: certificateKey(ids) }),
        queries.invalidateQueries({ queryKey: ['tie-out'] }),
      ]),
  })
  const { auditorUntil } = useWorkspace().identity
  if (issued !== undefined) return <DownloadableTools clientId={ids.clientId} issued={issued} />
  // An auditor reads what was issued.
  if (auditorUntil !== undefined) return null
  return (
    <>
      <Button loading={issuing.isPending} onClick={() => issuing.mutate()}>
        Issue certificate
      </Button>
      <MutationError of={issuing} />
    </>
  )
}

function DownloadableTools({ clientId, issued }: { readonly clientId: string; readonly issued: Certificate }) {
  const downloading = useDownloadCertificate(clientId)
  return (
    <>
      <IssuedTools isDownloading={downloading.isPending} onDownload={() => downloading.mutate(issued)} />
      <MutationError of={downloading} />
    </>
  )
}

interface IssuedToolsProps {
  readonly isDownloading?: boolean
  readonly onDownload: () => void
}

export function IssuedTools({ isDownloading = false, onDownload }: IssuedToolsProps) {
  return (
    <>
      <Button leftSection={<IconPrinter />} onClick={() => window.print()}>
        Print
      </Button>
      <Button variant="default" leftSection={<IconDownload />} loading={isDownloading} onClick={onDownload}>
        Download JSON
      </Button>
    </>
  )
}
