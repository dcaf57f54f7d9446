/** Maps errors of S3 to faults, by who must act. */
import type { HttpResponse } from '../../../../apis/http/exchange.ts'
import { faultByRule, type FaultRule, rulesByError } from '../../../../ports/fault-rules.ts'
import { textOf } from '../xml.ts'

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html; without a body, as of HEAD, the status counts. */
const rules = rulesByError([
  [
    'signIn',
    's3_key_refused',
    'The object storage refuses the access key or its secret. Enter both again.',
    'InvalidAccessKeyId',
    'SignatureDoesNotMatch',
    'InvalidToken',
    'AuthFailure',
    401,
  ],
  [
    'passing',
    's3_key_expired',
    'The temporary credentials for the object storage have expired. Trying again with new ones.',
    'ExpiredToken',
    'TokenRefreshRequired',
  ],
  [
    'settings',
    's3_denied',
    'The access key may not read, write, list or delete in the bucket. Grant it s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket on the warehouse.',
    'AccessDenied',
    'AllAccessDisabled',
    403,
  ],
  [
    'settings',
    's3_no_bucket',
    'The bucket does not exist at this endpoint. Check the location of the tables, the endpoint and the region.',
    'NoSuchBucket',
    'InvalidBucketName',
    404,
  ],
  [
    'settings',
    's3_region',
    'The bucket is in another region. Enter the region of the bucket.',
    'PermanentRedirect',
    'AuthorizationHeaderMalformed',
    'IllegalLocationConstraintException',
    301,
    307,
  ],
  [
    'settings',
    's3_clock',
    'The clock of this server differs from the object storage’s by more than it accepts. Set the clock of this server.',
    'RequestTimeTooSkewed',
  ],
  [
    'settings',
    's3_full',
    'The object storage has no space left, or its quota is used up. Free some; the next run continues where this one stopped.',
    'QuotaExceeded',
    'XMinioStorageFull',
    507,
  ],
  [
    'busy',
    's3_throttled',
    'The object storage is too busy at the moment. Trying again shortly.',
    'SlowDown',
    'TooManyRequests',
    'RequestLimitExceeded',
    429,
    503,
  ],
])

const failing: FaultRule = [
  'passing',
  's3_failing',
  'The object storage has a problem at the moment. Trying again shortly.',
]
const unexpected: FaultRule = [
  'settings',
  's3_unexpected',
  'The endpoint does not answer as object storage of S3 does. Check its address, and whether path style is needed.',
]

export function s3Fault(reply: HttpResponse): Error {
  const xml = reply.body.toString('utf8', 0, 10_000)
  const code = textOf(xml, 'Code')
  const fallback = reply.status >= 500 || reply.status === 408 || reply.status === 200 ? failing : unexpected
  const rule = rules.get(code) ?? rules.get(reply.status) ?? fallback
  return faultByRule('iceberg', rule, new Error(`S3 replied ${reply.status} ${code ?? ''}: ${textOf(xml, 'Message')}`))
}
