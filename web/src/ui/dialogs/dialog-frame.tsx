/** What a dialog is drawn with; it comes with the first one. */
import { ActionIcon, Drawer, Modal } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { Closing, type DialogProps } from './dialog.tsx'
import css from './dialog.module.css'
import { Leaving } from './unsaved-changes.tsx'

const transition = { duration: 160 }

/** Longer than the server works on anything that a dialog asks of it. A call that does not end then traps nobody. */
const heldMaxMs = 60_000

/** Shown as long as it is rendered. */
export function DialogFrame(props: DialogProps) {
  const { kind, title, subtitle, onClose, onSubmit, children, footer } = props
  const { close, isHeld, isAsking, stay } = useClosing(props)
  useFocusReturn()
  const Part = kind === 'modal' ? Modal : Drawer

  const inside = (
    <>
      <div className={css.head}>
        <div className={css.titles}>
          <Part.Title className={css.title}>{title}</Part.Title>
          {subtitle === undefined ? null : <div className={css.subtitle}>{subtitle}</div>}
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label="Close"
          aria-disabled={isHeld || undefined}
          onClick={close}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </div>
      {/* Where there is nothing to fill in, the content has the focus, so that keys scroll it. */}
      <div className={css.body} tabIndex={-1} data-autofocus={onSubmit === undefined || undefined}>
        {children}
      </div>
      {isAsking ? <Leaving css={{ bar: css.foot, ask: css.ask }} hasFocus onStay={stay} onLeave={onClose} /> : null}
      {footer === undefined || isAsking ? null : (
        <Closing value={isHeld ? null : close}>
          <div className={css.foot}>{footer}</div>
        </Closing>
      )}
    </>
  )

  return (
    <Part.Root
      opened
      onClose={close}
      lockScroll={false}
      transitionProps={transition}
      {...(kind === 'modal' ? { centered: true } : { position: 'right' as const })}
    >
      <Part.Overlay className={css.scrim} />
      <Part.Content className={css.content} data-kind={kind} radius={0}>
        {onSubmit === undefined ? (
          <div className={css.frame}>{inside}</div>
        ) : (
          <form className={css.frame} noValidate onSubmit={submitting(onSubmit)}>
            {inside}
          </form>
        )}
      </Part.Content>
    </Part.Root>
  )
}

/** Asks before what is not saved is lost; while a call is under way, there is nothing to ask: it stays. */
function useClosing({ onClose, isDirty = false, isBusy = false }: DialogProps) {
  const [wasAsked, setAsking] = useState(false)
  const isHeld = useHeld(isBusy)
  const isTopmost = useTopmost()
  const close = () => {
    if (isHeld || !isTopmost()) return
    if (isDirty) setAsking(true)
    else onClose()
  }
  return { close, isHeld, isAsking: wasAsked && !isHeld, stay: () => setAsking(false) }
}

function useHeld(isBusy: boolean): boolean {
  const [isOverdue, setOverdue] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setOverdue(true), heldMaxMs)
    return () => {
      clearTimeout(timer)
      setOverdue(false)
    }
  }, [isBusy])
  return isBusy && !isOverdue
}

/** From the lowest to the one that is seen. Escape is heard by all of them, and closes the last one only. */
const shown: symbol[] = []

function useTopmost(): () => boolean {
  const [own] = useState(() => Symbol('dialog'))
  useEffect(() => {
    shown.push(own)
    return () => void shown.splice(shown.indexOf(own), 1)
  }, [own])
  return () => shown.at(-1) === own
}

/** What opened the dialog has the focus again afterwards, or the page’s content where it is gone or disabled, unless somebody else took it. */
function useFocusReturn() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        for (const next of [opener, document.getElementById('main')]) {
          if (document.activeElement === document.body && next instanceof HTMLElement)
            next.focus({ preventScroll: true })
        }
      })
    },
    [opener],
  )
}

function submitting(onSubmit: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
}
