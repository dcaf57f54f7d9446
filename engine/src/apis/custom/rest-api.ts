/** Any REST API, as a customer describes it. */
import { Fault } from '../../ports/faults.ts'
import type { DescriptionProblem, ParsedDescription } from '../described/description/parse.ts'
import { parseSettings } from '../described/settings.ts'
import { parseCustomerDescription } from './customer-rules.ts'
import { customerSource, hostsOf } from './customer-source.ts'
import { signInFields, withRequiredFields } from './sign-in-fields.ts'

const type = 'rest-api'
const title = 'REST API'
const field = `${type}.description`

/** The description of a REST API in the words of a customer, or its problems. */
export function parseRestDescription(yaml: string): ParsedDescription {
  return parseCustomerDescription(yaml, { type, engine: 'rest', title })
}

export { hostsOf as restHosts }

export const restApiSource = customerSource(
  {
    type,
    title,
    needs: 'A description of the API, and credentials that may read.',
    description:
      'Any REST API that returns JSON. You describe its tables; the provider of Tributary approves its hosts.',
    guide: [
      'Find in the documentation of the API: its address, how programs sign in, how lists are paged, and how changed records are found.',
      'Write the description, or let the form above it begin one. Check names the line and column of every problem.',
      'Enter the credentials that the description names under signIn.',
      'Save. The connector moves rows as soon as the provider has approved the hosts of the API.',
    ],
    sections: [
      {
        property: type,
        shape: 'plain',
        title,
        help: 'Nothing is sent to the API before the provider has approved its hosts.',
        fields: [
          {
            key: field,
            label: 'Description',
            kind: 'yaml',
            required: true,
            help: 'It has no secrets: signIn names the fields below, user, password, key, client and secret.',
          },
          ...signInFields(type),
        ],
      },
    ],
  },
  (properties) => {
    const text = properties[field]
    const { description, problems } = parseRestDescription(typeof text === 'string' ? text : '')
    if (description === null) throw new Fault('settings', { code: field, field, notice: noticeOf(problems) })
    const complete = withRequiredFields(description)
    return { description: complete, text: String(text), values: parseSettings(complete, properties) }
  },
)

function noticeOf(problems: readonly DescriptionProblem[]): string {
  const [first] = problems
  const others = problems.length - 1
  const more = others > 0 ? ` ${others} more ${others === 1 ? 'problem' : 'problems'}: press Check.` : ''
  return `The description does not fit. Line ${first?.line}, column ${first?.column}: ${first?.message}.${more}`
}
