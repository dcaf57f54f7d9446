/** The mails and the channels of an organisation, or of a person: what each gets, its last message, and a test. */
import type { AlertChannel, AlertChannels, AlertChoice } from '@tributary/contract/alert-channels'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '@tributary/client/call-error'
import { type ReactNode, useState } from 'react'
import { useWorkspace } from '../../api/session/workspace.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { QueryResult } from '../requests/query-result.tsx'
import { RelativeTime } from '../time/relative-time.tsx'
import { type AlertOwner, alertChannelList, useDeleteChannel, useTestChannel } from './alert-queries.ts'
import { serviceTitles, summariseChoice } from './alert-words.ts'
import css from './alerts.module.css'

const LazyChannelDialog = lazyDialog(() => import('./channel-dialog.tsx'), 'ChannelDialog')
const LazyMailDialog = lazyDialog(() => import('./mail-dialog.tsx'), 'MailDialog')
const LazyDeleteDialog = lazyDialog(() => import('../records/delete-dialog.tsx'), 'DeleteDialog')

type OpenDialog =
  | { readonly kind: 'mail' }
  /** Null adds a channel. */
  | { readonly kind: 'channel'; readonly channel: AlertChannel | null }
  | { readonly kind: 'delete'; readonly channel: AlertChannel }

export function AlertChannelEntries({ owner }: { owner: AlertOwner }) {
  const { organisation } = useWorkspace()
  const query = useQuery(alertChannelList(owner, organisation.Id))
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const close = () => setOpened(null)
  return (
    <QueryResult query={query} loading={<SkeletonLines count={2} height={44} />}>
      {({ Mail, Channels }) => (
        <>
          <EntryList>
            <MailEntry owner={owner} mail={Mail} onChange={() => setOpened({ kind: 'mail' })} />
            {Channels.map((channel) => (
              <ChannelEntry
                key={channel.Id}
                owner={owner}
                channel={channel}
                onChange={() => setOpened({ kind: 'channel', channel })}
                onDelete={() => setOpened({ kind: 'delete', channel })}
              />
            ))}
          </EntryList>
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus />}
              onClick={() => setOpened({ kind: 'channel', channel: null })}
            >
              Add a channel
            </Button>
          </div>
          {opened === null ? null : <AlertDialog owner={owner} mail={Mail} opened={opened} onClose={close} />}
        </>
      )}
    </QueryResult>
  )
}

interface AlertDialogProps {
  readonly owner: AlertOwner
  readonly mail: AlertChannels['Mail']
  readonly opened: OpenDialog
  readonly onClose: () => void
}

function AlertDialog({ owner, mail, opened, onClose }: AlertDialogProps) {
  const remove = useDeleteChannel(owner)
  if (opened.kind === 'mail') return <LazyMailDialog owner={owner} mail={mail} onClose={onClose} />
  const { kind, channel } = opened
  if (kind === 'channel') return <LazyChannelDialog owner={owner} channel={channel} onClose={onClose} />
  return (
    <LazyDeleteDialog name={channel.Name} onDelete={() => remove(channel.Id)} onClose={onClose}>
      <p>No more alerts are sent to it, and those that wait for a digest are dropped.</p>
    </LazyDeleteDialog>
  )
}

interface MailEntryProps {
  readonly owner: AlertOwner
  readonly mail: AlertChoice | null
  readonly onChange: () => void
}

const defaultMails: Readonly<Record<AlertOwner, string>> = {
  organisation: 'At once, to the administrators, or to the recipients that the settings of a connector name.',
  person: 'As the administrators chose: at once, for connectors whose recipients include you.',
}

function MailEntry({ owner, mail, onChange }: MailEntryProps) {
  const { identity } = useWorkspace()
  return (
    <AlertEntry
      owner={owner}
      channelId={null}
      title={owner === 'person' ? `Mails to ${identity.email}` : 'Mails'}
      detail={mail === null ? defaultMails[owner] : summariseChoice(mail)}
    >
      <EntryButton aria-label="Change mails" onClick={onChange}>
        Change
      </EntryButton>
    </AlertEntry>
  )
}

interface ChannelEntryProps {
  readonly owner: AlertOwner
  readonly channel: AlertChannel
  readonly onChange: () => void
  readonly onDelete: () => void
}

function ChannelEntry({ owner, channel, onChange, onDelete }: ChannelEntryProps) {
  const { Id, Name, Service, LastDelivery } = channel
  return (
    <AlertEntry
      owner={owner}
      channelId={Id}
      title={Name}
      detail={`${serviceTitles[Service]}. ${summariseChoice(channel)}`}
      lastDelivery={LastDelivery}
    >
      <EntryButton aria-label={`Change ${Name}`} onClick={onChange}>
        Change
      </EntryButton>
      <EntryButton aria-label={`Delete ${Name}`} onClick={onDelete}>
        Delete
      </EntryButton>
    </AlertEntry>
  )
}

interface AlertEntryProps {
  readonly owner: AlertOwner
  /** Null: the mail. */
  readonly channelId: string | null
  readonly title: string
  readonly detail: string
  readonly lastDelivery?: AlertChannel['LastDelivery']
  /** Buttons after the one that sends a test. */
  readonly children: ReactNode
}

function AlertEntry({ owner, channelId, title, detail, lastDelivery = null, children }: AlertEntryProps) {
  const send = useTestChannel(owner, channelId)
  return (
    <EntryListItem
      title={title}
      detail={detail}
      last={<LastMessage of={lastDelivery} />}
      action={
        <div className={css.actions}>
          {/* Not disabled while it sends, because it would lose the focus. A second click is ignored. */}
          <EntryButton
            className={css.test ?? ''}
            aria-label={`Send a test: ${title}`}
            aria-busy={send.isPending}
            onClick={() => send.mutate()}
          >
            {send.isPending ? 'Sending…' : 'Send a test'}
          </EntryButton>
          {children}
        </div>
      }
    >
      {lastDelivery?.Status === 'FAILED' ? (
        <Callout tone="error" title="The last message was not delivered.">
          {lastDelivery.Notice}
        </Callout>
      ) : null}
      <div aria-live="polite">
        {send.data === undefined || send.isPending ? null : (
          <Callout tone={send.data.Delivered ? 'ok' : 'error'}>{send.data.Notice}</Callout>
        )}
        {send.error === null ? null : <Callout tone="error">{messageOf(send.error)}</Callout>}
      </div>
    </EntryListItem>
  )
}

/** A message that was delivered or waits. One that was given up needs more room. */
function LastMessage({ of }: { of: AlertChannel['LastDelivery'] }) {
  if (of === null || of.Status === 'FAILED') return null
  return (
    <p className="small subtle">
      {`Last message ${of.Status === 'DELIVERED' ? 'delivered' : 'waiting'} `}
      <RelativeTime at={of.AtUtc} />
      {of.Notice === null ? '.' : `. ${of.Notice}`}
    </p>
  )
}
