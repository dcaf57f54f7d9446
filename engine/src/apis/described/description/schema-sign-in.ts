/** How a described source knows who calls. Secrets come from settings, never from the description. */
import * as z from 'zod'
import { settingName, text } from './schema-parts.ts'

const webAddress = z.url({ protocol: /^https?$/u, error: 'is not a web address' })

export const SignIn = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('basic'),
    user: settingName,
    password: settingName
      .optional()
      .describe('Without it: an empty password, as some APIs want with a key as the user.'),
  }),
  z.strictObject({ kind: z.literal('bearer'), token: settingName }),
  z.strictObject({
    kind: z.literal('apiKey'),
    keys: z
      .array(
        z.strictObject({ in: z.enum(['header', 'query']), name: text, setting: settingName, prefix: text.optional() }),
      )
      .min(1),
  }),
  z.strictObject({
    kind: z.literal('oauthCode'),
    authorise: webAddress,
    token: webAddress,
    scopes: z.array(text).min(1),
    refreshTokenDays: z.number().int().min(1).max(3_650),
    refreshTokenReuseSeconds: z.number().int().min(0).max(86_400).default(0),
    parameters: z
      .record(z.string(), z.string())
      .optional()
      .describe('More parameters of the address where people sign in.'),
  }),
  z.strictObject({
    kind: z.literal('oauthClient'),
    token: webAddress,
    scopes: z.array(text).default([]),
    client: settingName,
    secret: settingName,
    parameters: z.record(z.string(), z.string()).optional(),
  }),
])
export type SignIn = z.infer<typeof SignIn>
