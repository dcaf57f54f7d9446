/**
 * A workflow of Microsoft Teams that begins with a webhook request, over HTTP: its signed address, its answers before it
 * runs, and the run, which fails if the card is not valid.
 */
import * as z from 'zod'
import { AdaptiveCard } from './adaptive-card.ts'
import { type ChatReceiver, startChatReceiver } from './chat-receiver.ts'
import { parseJson } from './simulated-slack.ts'

const TeamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null().optional(),
        content: z.unknown(),
      }),
    )
    .min(1),
})

const messageMaxBytes = 28 * 1_024

export interface SimulatedTeams extends ChatReceiver {
  readonly url: string
  /** The cards in the channel, oldest first. */
  readonly posted: AdaptiveCard[]
  /** Why runs of the workflow failed after it had accepted the request. */
  readonly failedRuns: string[]
  /** As the owner sets it in the Workflows app. */
  state: 'on' | 'off' | 'deleted'
}

const path = '/powerautomate/automations/direct/workflows/b950a561/triggers/manual/paths/invoke'
const query = 'api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=canaryTeamsSignature0000'

export async function startTeams(): Promise<SimulatedTeams> {
  const [posted, failedRuns]: [AdaptiveCard[], string[]] = [[], []]
  const refuse = (status: number, code: string) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code, message: 'canary of the service' } }),
  })
  const receiver = await startChatReceiver(({ path: requested, headers, body, method }) => {
    const address = new URL(requested, 'http://teams.invalid')
    if (address.pathname !== path || teams.state === 'deleted') return refuse(404, 'WorkflowNotFound')
    if (!address.searchParams.has('sig')) return refuse(401, 'DirectApiAuthorizationRequired')
    if (address.search !== `?${query}`) return refuse(401, 'AuthorizationFailed')
    if (teams.state === 'off') return refuse(400, 'WorkflowTriggerIsNotEnabled')
    if (Buffer.byteLength(body) > messageMaxBytes) return refuse(413, 'RequestEntityTooLarge')
    const { success, data } = TeamsMessage.safeParse(parseJson(body))
    if (method !== 'POST' || headers['content-type'] !== 'application/json' || !success)
      return refuse(400, 'TriggerInputSchemaMismatch')
    for (const { content } of data.attachments) {
      const card = AdaptiveCard.safeParse(content)
      if (card.success) posted.push(card.data)
      else failedRuns.push(z.prettifyError(card.error))
    }
    return { status: 202 }
  })
  const { clear } = receiver
  const teams: SimulatedTeams = Object.assign(receiver, {
    url: `${receiver.origin}${path}?${query}`,
    posted,
    failedRuns,
    state: 'on' as const,
    clear() {
      clear()
      posted.length = 0
      failedRuns.length = 0
      teams.state = 'on'
    },
  })
  return teams
}

/** The texts that people see of a card, in their order. */
export function cardTexts({ body = [], actions = [] }: AdaptiveCard): readonly string[] {
  const texts = body.flatMap((block) => {
    if (block.type === 'FactSet') return block.facts.map(({ title, value }) => `${title} ${value}`)
    return block.type === 'TextBlock' ? [block.text] : block.inlines.map(({ text }) => text)
  })
  return [...texts, ...actions.map(({ title = '' }) => title)]
}
