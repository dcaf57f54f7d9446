/**
 * Texts that the specification quotes are in the product byte for byte, and in a test whose title names the
 * requirement.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = dirname(import.meta.dirname)

/**
 * Requirement and text; a name in braces is a value. A star marks a message of section 8, the catalogue of errors; one
 * that no other requirement names belongs to ROLE-2.
 */
const quoted = `
  GATE-6 | *Unexpected Application Error!
  SHELL-11 | {type} Connectors
  SHELL-11 | Refresh V2
  SHELL-11 | Configure V2
  SHELL-13 | *Unauthorized
  SIGN-1 | Sign in
  SIGN-3 | Forgot password?
  SIGN-3 | No account? Sign up now.
  SIGN-5 | Welcome, {name}
  SIGN-5 | Please watch out for a welcome email which will provide you with the next steps.
  SIGN-5 | Welcome back, {name}
  SIGN-5 | Sign in to Tributary
  SIGN-8 | *Please check your email address and password.
  SIGN-8 | *Something seems to have gone wrong, please try again.
  SIGN-11 | Trust this device
  SIGN-12 | *Verification failed.
  SIGN-12 | *An unkown error has occured.
  REG-3 | *Invalid email address
  REG-3 | *This email address is already in use
  REG-6 | *The process was either cancelled or not allowed.
  REG-6 | *Signing up using {provider} was either cancelled or is not allowed.
  REG-6 | *Something seems to have gone wrong while trying to sign up using {provider}. Please try again.
  REG-6 | *Something seems to have gone wrong.
  REG-8 | submitted for approval
  ADMIN-2 | Started {time}
  ADMIN-2 | No connectors are running at the moment.
  ADMIN-4 | Add user
  HOME-1 | Your connectors
  HOME-1 | Available connectors
  HOME-1 | early stage
  ENT-1 | Entities for organisation {company}
  LINK-2 | Create new link
  LINK-3 | Select all current
  LINK-3 | Select all current and future
  LINK-3 | Only selected
  LINK-3 | Create Link
  LINK-3 | Back to links
  VER-2 | Add new Version(s)
  VER-2 | Add Milestone
  VER-3 | B2S
  VER-3 | SQLLoader
  GRP-1 | Security Groups
  GRP-1 | Create Security Group
  GRP-3 | 1. Areas
  GRP-3 | 2. Subareas
  GRP-3 | 3. Versions & Milestones
  GRP-4 | All current and future
  GRP-4 | All current
  GRP-4 | Back to Security Groups
  GRP-5 | Security Group Name
  GRP-8 | *error occurred adding group
  ASG-1 | Users assigned to Security Groups
  ASG-1 | ASSIGNED TO
  ASG-1 | Create new assignment
  ASG-1 | Assign
  ASG-1 | Back to assignments
  ASG-2 | Users assigned to Helper Tables
  ASG-2 | Create Link
  ASG-2 | Back to links
  ASG-4 | Assign Users V2
  ACC-1 | Success!
  ACC-1 | No tokens fetched
  ACC-1 | No tokens present
  ACC-2 | My Entities - Ready to Sync
  ACC-3 | Xero2Sql - Tokens
  ACC-3 | No products registered. Please contact the provider in order to link your Xero2SQL Entities to your portal account.
  ACC-3 | Loading products
  ACC-4 | *Please wait 15 minutes from last refresh. It has been {n} minutes since {company} was last refreshed.
  ACC-5 | *Your sync has started successfully. Typically this will take 5-15 minutes to finish depending on the number of transactions you have processed in Xero since the last sync. You can start the sync of another organisation now if you wish.
  ACC-6 | These credentials are for the entire organisation and not per user. These SQL credentials will be used to write data to your database
  ACC-6 | *An unkown error has occured.
  DASH-1 | Nothing much to do here.
  DASH-2 | Never started
  DASH-3 | *This connector seems to be taking longer than expected.
  DASH-5 | Incremental
  DASH-5 | Full
  DASH-5 | Refresh
  DASH-6 | *This connector may have been disconnected.
  DASH-6 | Retry
  MAN-1 | Add connector
  MAN-1 | Disconnect all
  MAN-2 | Manage users
  MAN-3 | unkown
  MAN-5 | *Adding the {type} connector was either cancelled or was not allowed.
  MAN-5 | *The {type} connector you are trying to add already belongs to another organisation. Please speak to your organisation administrator.
  MAN-5 | *Something seems to have gone wrong while trying to add the {type} connector. Please try again.
  MAN-6 | *There was a problem with trying to assign the selected connectors. Please try again, but if the problem persists, please contact the provider.
  MAN-7 | Multiple Active Result Sets
  FORM-1 | required
  FORM-1 | Does not match {partner}
`

/** Requirements of section 8 without a quoted text: the server's message is shown, or something happens. */
const unquotedRequirements = [
  ['SHELL-13', 'a 401 signs out'],
  ['SIGN-9', 'an external sign-in that failed'],
  ['PROF-2', 'the message of a second factor in the modal'],
  ['PASS-1', 'the message of a request for a link'],
  ['PASS-2', 'a link that was used'],
  ['AREA-2', 'failures of a bulk creation in a red list'],
  ['FORM-2', 'a response with a statusCode'],
  ['ADMIN-6', 'the message of a user that was not saved'],
  ['GRP-8', 'the message of a group that was not saved'],
  ['ACC-6', 'the message of credentials that were not saved'],
  ['ACC-8', 'the message of a synchronisation that did not start'],
  ['DASH-6', 'the way from a refused connector to its settings'],
  ['GATE-7', 'a chunk that cannot be loaded'],
] as const

interface Quote {
  /** The id of the requirement, such as `SIGN-8`. */
  readonly line: string
  readonly words: string
  /** The text is in section 8. */
  readonly isMessage: boolean
}

const quotes: readonly Quote[] = quoted
  .trim()
  .split('\n')
  .map((row) => {
    const [line = '', text = ''] = row.split(' | ').map((part) => part.trim())
    return { line, words: text.replace('*', ''), isMessage: text.startsWith('*') }
  })

const folders = [
  'web/src',
  'client/src',
  'contract/src',
  'server/src',
  'engine/src',
  'testing/journeys',
  'testing/programmes',
]
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(root.length + 1), text: joinLines(readFileSync(path, 'utf8')) })),
)
const isTest = (path: string) => /^testing\/|\.test\.tsx?$/u.test(path)
const product = sources.filter(({ path }) => !isTest(path))
const tests = sources.filter(({ path }) => /\.(?:spec|test)\.tsx?$/u.test(path))
const journeys = tests.filter(({ path }) => path.startsWith('testing/journeys/') || path.startsWith('web/'))

describe('what the specification quotes', () => {
  test.each(quotes.filter(({ isMessage }) => !isMessage))(
    '[$line] ‘$words’ is in the product and in a test of that line',
    (quote) => {
      expect(product.filter(({ text }) => containsWords(text, quote))).not.toEqual([])
      expect(tests.filter(({ text }) => containsWords(text, quote) && namesRequirement(text, quote.line))).not.toEqual(
        [],
      )
    },
  )

  test.each(quotes.filter(({ isMessage }) => isMessage))(
    '[ROLE-2 $line] ‘$words’ is in the product byte for byte, and in a test of the portal',
    (quote) => {
      expect(product.filter(({ text }) => containsWords(text, quote))).not.toEqual([])
      expect(
        journeys.filter(({ text }) => containsWords(text, quote) && namesRequirement(text, quote.line)),
      ).not.toEqual([])
    },
  )

  test.each(unquotedRequirements)('[ROLE-2 %s] %s has a test of the portal', (line) => {
    expect(journeys.filter(({ text }) => namesRequirement(text, line))).not.toEqual([])
  })

  test('a different letter and a title with another requirement are reported', () => {
    const quote = { line: 'SIGN-12', words: 'An unkown error has occured.' }
    expect([
      containsWords("'An unkown error has occured.'", quote),
      containsWords("'An unknown error has occurred.'", quote),
    ]).toEqual([true, false])
    expect([
      namesRequirement("test('[SIGN-12] a code", quote.line),
      namesRequirement("test('[SIGN-1] a code", quote.line),
    ]).toEqual([true, false])
    const withValue = { line: 'SIGN-5', words: 'Welcome, {name}' }
    expect([
      containsWords('`Welcome, ${name}`', withValue),
      containsWords('`Welcome back, ${name}`', withValue),
    ]).toEqual([true, false])
  })
})

/** Joins sentences that the formatter has split into several lines. */
function joinLines(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/gu, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('\\.', '.')
}

/** Matches whole words only. */
function containsWords(text: string, { words }: Pick<Quote, 'words'>): boolean {
  const [first = '', ...rest] = words.split(/\{\w+\}/u)
  const pattern = [first, ...rest]
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`))
    .join('.{1,60}?')
  return new RegExp(`(?<![\\p{L}])${pattern}(?![\\p{L}])`, 'u').test(text)
}

/** True if a title, or a table of parameters of titles, names the requirement. */
function namesRequirement(text: string, line: string): boolean {
  return text.includes(`[${line}]`) || text.includes(`'${line}'`)
}
