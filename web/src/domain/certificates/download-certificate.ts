import type { Certificate, CertificateDocument } from '@tributary/contract/certificates'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { downloadFile } from '../../ui/files/download.ts'

/** Requests the document of a certificate, which the audit log records, and saves it. */
export function useDownloadCertificate(clientId: string) {
  return useMutation({
    mutationFn: async ({ Id }: Certificate) => {
      const params = { clientId, certificateId: Id }
      saveCertificate(await call('GET /tributary/clients/:clientId/certificates/:certificateId', { params }))
    },
  })
}

/** Saves a document that was requested, and so is in the audit log, already. */
export function saveCertificate({ Hash, Document }: CertificateDocument): void {
  downloadFile(`certificate-${Hash.slice(0, 12)}.json`, Document)
}
