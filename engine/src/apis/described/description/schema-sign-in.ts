/** How a described source knows who calls. Secrets come from settings, never from the description. */
import * as z from 'zod'
import { Parameters, pathText, pointer, settingName, text } from './schema-parts.ts'

const webAddress = z.url({ protocol: /^https?$/u, error: 'is not a web address' })

/** Placeholders stand in the path only: the secret of the app goes to a host that is fixed. */
const tokenAddress = text.refine(
  (address) => {
    const [scheme = '', , host = ''] = address.split('/')
    return (scheme === 'https:' || scheme === 'http:') && host !== '' && !host.includes('{')
  },
  { error: 'is not a web address with a fixed host' },
)

const clientIn = z
  .enum(['header', 'body'])
  .default('header')
  .describe('Where the token request has the id and the secret of the app.')

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
    authorise: webAddress.describe('Where people sign in and consent.'),
    token: webAddress,
    scopes: z.array(text).default([]),
    refreshTokenDays: z.number().int().min(1).max(3_650),
    refreshTokenReuseSeconds: z.number().int().min(0).max(86_400).default(0),
    renewSecondsBefore: z
      .number()
      .int()
      .min(5)
      .max(3_600)
      .optional()
      .describe(
        'A token is renewed only so many seconds before it expires, because the API refuses to renew it earlier.',
      ),
    clientIn: clientIn,
    parameters: z
      .record(z.string(), z.string())
      .optional()
      .describe('More parameters of the address where people sign in.'),
    companyParameter: text
      .optional()
      .describe(
        'The parameter of the callback with the id of the company, if each sign-in is for one. The calls of person and companies have it as {company}.',
      ),
    person: z
      .strictObject({
        path: pathText,
        query: Parameters.optional(),
        id: pointer.optional().describe('Not with companyParameter: such a sign-in belongs to the company.'),
        name: pointer.optional(),
        email: pointer.optional(),
        values: z
          .record(settingName, pointer)
          .optional()
          .describe('Further values of the reply, which the path of companies may have in braces.'),
      })
      .describe('The call that says who has signed in.'),
    companies: z
      .strictObject({
        path: pathText,
        query: Parameters.optional(),
        records: pointer,
        id: pointer.optional().describe('Not with companyParameter.'),
        name: pointer,
        country: pointer.optional(),
        currency: pointer.optional(),
        address: pointer
          .optional()
          .describe('The base address of the company, if each has its own. Only addresses of hosts are called.'),
      })
      .describe(
        'The call that lists the companies that the sign-in reaches. {company} stands for the id of the chosen one.',
      ),
  }),
  z.strictObject({
    kind: z.literal('oauthClient'),
    token: tokenAddress.describe('It may have {setting} for a value of the settings in its path.'),
    scopes: z.array(text).default([]),
    client: settingName,
    secret: settingName,
    clientIn: clientIn,
    parameters: z.record(z.string(), z.string()).optional().describe('More parameters of the request for a token.'),
  }),
])
export type SignIn = z.infer<typeof SignIn>
export type CodeSignIn = SignIn & { readonly kind: 'oauthCode' }
export type ClientSignIn = SignIn & { readonly kind: 'oauthClient' }
