/** Maps errors of Azure Storage to faults, by who must act. */
import type { HttpResponse } from '../../../../apis/http/exchange.ts'
import { faultByRule, type FaultRule, rulesByError } from '../../../../ports/fault-rules.ts'

/** https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes */
const rules = rulesByError([
  [
    'signIn',
    'azure_key_refused',
    'Azure Storage refuses the credentials. Enter the account key, the SAS or the client secret again.',
    'AuthenticationFailed',
    'InvalidAuthenticationInfo',
    'NoAuthenticationInformation',
    401,
  ],
  [
    'settings',
    'azure_denied',
    'The credentials may not read, write, list or delete in the container. Give the app the role Storage Blob Data Contributor, or the SAS the permissions r, w, d and l.',
    'AuthorizationFailure',
    'AuthorizationPermissionMismatch',
    'AuthorizationServiceMismatch',
    'AuthorizationResourceTypeMismatch',
    'InsufficientAccountPermissions',
    403,
  ],
  [
    'settings',
    'azure_firewall',
    'The firewall of the storage account does not let this server in. Add its address there.',
    'AuthorizationSourceIPMismatch',
    'IpAuthorizationFailure',
  ],
  [
    'settings',
    'azure_no_container',
    'The container does not exist in this storage account. Check the location of the tables.',
    'ContainerNotFound',
    'ResourceNotFound',
    404,
  ],
  [
    'settings',
    'azure_account_disabled',
    'The storage account is disabled. Enable it in Azure; the next run continues where this one stopped.',
    'AccountIsDisabled',
  ],
  ['busy', 'azure_throttled', 'Azure Storage is too busy at the moment. Trying again shortly.', 'ServerBusy', 429, 503],
])

const failing: FaultRule = [
  'passing',
  'azure_failing',
  'Azure Storage has a problem at the moment. Trying again shortly.',
]
const unexpected: FaultRule = [
  'settings',
  'azure_unexpected',
  'The endpoint does not answer as Azure Storage does. Check the location of the tables.',
]

export function azureFault({ status, headers, body }: HttpResponse): Error {
  const code = headers['x-ms-error-code']
  const fallback = status >= 500 || status === 408 ? failing : unexpected
  const rule = rules.get(code) ?? rules.get(status) ?? fallback
  return faultByRule(
    'iceberg',
    rule,
    new Error(`Azure Storage replied ${status} ${String(code)}: ${body.toString('utf8', 0, 500)}`),
  )
}
