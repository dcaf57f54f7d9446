/** Resetting a forgotten password, and setting the first one, by an emailed link. */
import * as z from 'zod'
import { EmailAddress } from './email.ts'
import { Password } from './password.ts'
import { route } from './route.ts'
import { forVisitors } from './route-parts.ts'
import { linkCode, recaptchaToken } from './sign-up.ts'

export const resetPassword = {
  request: route({
    method: 'POST',
    path: '/reset-password/request',
    summary: 'Request a link to set a new password. The reply never reveals whether the address is known.',
    ...forVisitors,
    body: z.strictObject({ emailAddress: EmailAddress, recaptchaToken }),
    reply: z.object({ message: z.string() }),
    faults: ['captchaFailed', 'tooMany'],
  }),
  validate: route({
    method: 'GET',
    path: '/reset-password/validate',
    summary: 'Whether the link to set a password is valid.',
    ...forVisitors,
    query: z.strictObject({ token: linkCode }),
    reply: z.object({ emailAddress: z.string(), isFirst: z.boolean() }),
    faults: ['resetExpired', 'tooMany'],
  }),
  reset: route({
    method: 'POST',
    path: '/reset-password',
    summary: 'Set a password with the token of the link; ends every session and forgets every trusted device.',
    ...forVisitors,
    body: z.strictObject({ password: Password, token: linkCode }),
    reply: z.object({ message: z.string() }),
    faults: ['resetExpired', 'tooMany'],
  }),
} as const
