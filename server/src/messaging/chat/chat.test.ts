import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AdaptiveCard } from '@tributary/testing/server/alerts/adaptive-card.ts'
import { cardTexts, startTeams } from '@tributary/testing/server/alerts/simulated-teams.ts'
import { slackTexts, startSlack } from '@tributary/testing/server/alerts/simulated-slack.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import { readSlackAnswer, renderSlackMessage } from './slack.ts'
import { readTeamsAnswer, renderTeamsMessage } from './teams.ts'

const action = { label: 'Open the connector', url: 'https://tributary.example/connectors/xero/refresh?a=1&b=2' }
const content: EmailContent = {
  template: 'incident-opened',
  subject: 'Web shop needs attention',
  paragraphs: ['The connector Web shop has a problem:', 'The source refused the password.'],
  action,
  footnote: 'An administrator chooses.',
}
const hostile = '<!channel> <https://evil.example|click> & [click](https://evil.example) *bold* @here'

const anyContent: fc.Arbitrary<EmailContent> = fc.record({
  template: fc.constant('any'),
  subject: fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
  paragraphs: fc.array(fc.string({ unit: 'binary', size: 'max', maxLength: 5_000 }), { maxLength: 40 }),
  action: fc.constant(action),
})

const post = (url: string, body: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

describe('a message to Slack', () => {
  test('[UX-ALERT-3] has the subject as its header, the paragraphs as plain text, and a link', async () => {
    await using slack = await startSlack()
    expect(await (await post(slack.url, renderSlackMessage(content))).text()).toBe('ok')
    const [message] = slack.posted
    expect(message?.text).toBe('Web shop needs attention')
    expect(slackTexts(message ?? {})).toEqual([
      'Web shop needs attention',
      'The connector Web shop has a problem:',
      'The source refused the password.',
      '<https://tributary.example/connectors/xero/refresh?a=1&amp;b=2|Open the connector>',
      'An administrator chooses.',
    ])
  })

  test('[UX-ALERT-3] mentions no one and links nothing that a name or a source contains', async () => {
    await using slack = await startSlack()
    await post(slack.url, renderSlackMessage({ ...content, subject: hostile, paragraphs: [hostile] }))
    const [message] = slack.posted
    expect(message?.text).toBe(hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    const markup = (message?.blocks ?? []).filter((block) => JSON.stringify(block).includes('mrkdwn'))
    expect(markup).toHaveLength(1)
    expect(JSON.stringify(markup)).not.toContain('evil')
  })

  test('[UX-ALERT-3] is accepted whatever its text and its length', async () => {
    await using slack = await startSlack()
    await fc.assert(
      fc.asyncProperty(anyContent, async (any) => {
        expect(await (await post(slack.url, renderSlackMessage(any))).text()).toBe('ok')
      }),
      { numRuns: 60 },
    )
  })

  test('[UX-ALERT-3] says how many paragraphs it leaves out', async () => {
    await using slack = await startSlack()
    const paragraphs = Array.from({ length: 60 }, (_, at) => `${at} ${'x'.repeat(400)}`)
    await post(slack.url, renderSlackMessage({ ...content, paragraphs }))
    const texts = slackTexts(slack.posted[0] ?? {})
    const left = texts.find((text) => text.endsWith(' more, which Tributary shows.')) ?? ''
    expect(texts.filter((text) => text.includes('xxx')).length + Number.parseInt(left, 10)).toBe(60)
  })

  test.each([
    [400, 'invalid_payload', true, 'invalid_payload'],
    [400, 'no_text', true, 'no_text'],
    [403, 'action_prohibited', true, 'does not allow this webhook to post'],
    [403, 'invalid_token', true, 'Copy the address'],
    [404, 'no_service', true, 'removed or switched off'],
    [404, 'channel_not_found', true, 'no longer exists'],
    [404, '<html>not Slack</html>', true, 'nothing at this address (404)'],
    [410, 'channel_is_archived', true, 'archived'],
    [410, '', true, 'gone (410)'],
    [500, 'rollup_error', false, 'sent again later'],
    [503, '', false, 'it answered 503'],
    [200, 'not Slack', true, 'not as Slack does'],
    [200, '', true, 'not as Slack does'],
    [418, 'toString', true, 'it answered 418'],
    [418, '__proto__', true, 'it answered 418'],
    [418, 'canary-of-an-internal-server', true, 'it answered 418'],
  ])('[UX-ALERT-8] the answer %i %s is shown in words', (status, text, isFinal, words) => {
    const failure = readSlackAnswer({ status, text, retryAfterMs: null })
    expect(failure).toEqual({ isFinal, retryAfterMs: null, notice: expect.stringContaining(words) })
    expect(failure?.notice).not.toContain('canary')
  })
})

describe('a message to Teams', () => {
  test('[UX-ALERT-4] is an Adaptive Card 1.4 with the paragraphs as text runs and a button', async () => {
    await using teams = await startTeams()
    expect((await post(teams.url, renderTeamsMessage(content))).status).toBe(202)
    expect(teams.failedRuns).toEqual([])
    expect(cardTexts(teams.posted[0] ?? ({} as AdaptiveCard))).toEqual([
      'Web shop needs attention',
      'The connector Web shop has a problem:',
      'The source refused the password.',
      'An administrator chooses.',
      'Open the connector',
    ])
    expect(teams.posted[0]?.actions).toEqual([{ type: 'Action.OpenUrl', title: action.label, url: action.url }])
  })

  test('[UX-ALERT-4] has text of people and sources only where Teams knows no Markdown', async () => {
    const message = JSON.parse(renderTeamsMessage({ ...content, subject: hostile, paragraphs: [hostile] })) as {
      readonly attachments: readonly { readonly content: AdaptiveCard }[]
    }
    const body = message.attachments[0]?.content.body ?? []
    expect(new Set(body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']))
  })

  test('[UX-ALERT-4] is a valid card of less than 28 KB whatever its text and its length', async () => {
    await using teams = await startTeams()
    await fc.assert(
      fc.asyncProperty(anyContent, async (any) => {
        expect((await post(teams.url, renderTeamsMessage(any))).status).toBe(202)
        expect(teams.failedRuns).toEqual([])
      }),
      { numRuns: 60 },
    )
    const long = Array.from({ length: 30 }, () => '\u0001漢😀'.repeat(200))
    expect((await post(teams.url, renderTeamsMessage({ ...content, paragraphs: long }))).status).toBe(202)
    expect(cardTexts(teams.posted.at(-1) ?? ({} as AdaptiveCard)).join(' ')).toMatch(/\d+ more, which Tributary shows/u)
  })

  test('[UX-ALERT-4] the rules of the card refuse what its schema does not have', () => {
    const card = { type: 'AdaptiveCard', version: '1.4' }
    const run = { type: 'TextRun', text: 'x' }
    expect(AdaptiveCard.safeParse({ ...card, body: [{ type: 'RichTextBlock', inlines: [run] }] }).success).toBe(true)
    for (const wrong of [
      { ...card, version: '1.0' },
      { ...card, msteams: { width: 'Full' } },
      { ...card, body: [{ type: 'RichTextBlock', inlines: [{ ...run, weight: 'bold' }] }] },
      { ...card, body: [{ type: 'RichTextBlock', inlines: [{ ...run, wrap: true }] }] },
      { ...card, body: [{ type: 'Video' }] },
      { ...card, actions: [{ type: 'Action.Submit' }] },
    ])
      expect(AdaptiveCard.safeParse(wrong).success).toBe(false)
  })

  test.each([
    [400, 'TriggerInputSchemaMismatch', true, 'another format'],
    [400, 'WorkflowTriggerIsNotEnabled', true, 'switched off'],
    [401, 'DirectApiAuthorizationRequired', true, 'Who can trigger the flow'],
    [403, 'unknown', true, 'Anyone'],
    [404, 'WorkflowNotFound', true, 'no longer exists'],
    [404, 'toString', true, 'no workflow at this address'],
    [410, '', true, 'gone (410)'],
    [413, '', true, 'too large'],
    [418, '', true, 'it answered 418'],
    [502, 'canary', false, 'sent again later'],
  ])('[UX-ALERT-8] the answer %i %s is shown in words', (status, code, isFinal, words) => {
    const text = JSON.stringify({ error: { code, message: 'canary' } })
    const failure = readTeamsAnswer({ status, text, retryAfterMs: null })
    expect(failure).toEqual({ isFinal, retryAfterMs: null, notice: expect.stringContaining(words) })
    expect(failure?.notice).not.toContain('canary')
    expect(readTeamsAnswer({ status, text: '<html>', retryAfterMs: null })?.notice).not.toContain('html')
  })
})
