import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useDownloadCertificate } from '../../domain/certificates/download-certificate.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { coveredCertificates } from './room-queries.ts'

export function CertificatesSection() {
  const clientId = useOrganisationId()
  const certificates = useQuery(coveredCertificates(clientId))
  const download = useDownloadCertificate(clientId)
  return (
    <Panel title="Certificates">
      <MutationError of={download} />
      <QueryResult query={certificates}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState kind="first" title="No certificate was issued yet.">
              Certificates of the covered months and marks appear here.
            </EmptyState>
          ) : (
            <EntryList>
              {list.map((certificate) => (
                <EntryListItem
                  key={certificate.Id}
                  title={certificate.Title}
                  detail={
                    <>
                      {`Issued ${formatMoment(certificate.IssuedAtUtc, 'dateTime')} by ${certificate.IssuedBy}. `}
                      <a href={certificate.CheckAddress} aria-label={`Check the hash of ${certificate.Title}`}>
                        Check the hash
                      </a>
                    </>
                  }
                  action={
                    <EntryButton
                      aria-label={`Download the JSON of ${certificate.Title}`}
                      onClick={() => download.mutate(certificate)}
                    >
                      Download
                    </EntryButton>
                  }
                />
              ))}
            </EntryList>
          )
        }
      </QueryResult>
    </Panel>
  )
}
