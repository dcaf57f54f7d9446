import { type ReactNode, useEffect, useState } from 'react'
import css from './skeleton.module.css'

const delayMs = 300

/** Placeholders in the shape of the content. Invisible for the first 300 ms, but they take their space at once. */
export function SkeletonCards({ count, height }: { count: number; height: number }) {
  return (
    <DelayedPlaceholder>
      <div className={css.grid}>
        {Array.from({ length: count }, (_, index) => (
          <Bone key={index} height={height} />
        ))}
      </div>
    </DelayedPlaceholder>
  )
}

export function SkeletonLines({ count, height = 16 }: { count: number; height?: number }) {
  return (
    <DelayedPlaceholder>
      <div className={css.lines}>
        {Array.from({ length: count }, (_, index) => (
          <Bone key={index} height={height} />
        ))}
      </div>
    </DelayedPlaceholder>
  )
}

function Bone({ height }: { height: number }) {
  return <span className={css.bone} style={{ height }} />
}

function DelayedPlaceholder({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={css.waiting} data-shown={isShown || undefined}>
      <output className="visually-hidden">Loading</output>
      <div aria-hidden>{children}</div>
    </div>
  )
}
