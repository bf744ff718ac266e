import { Component, type ReactNode } from 'react'

/** Renders an empty element when its children fail. `site/lib/failures.ts` puts a note in its place. */
export class ErrorBoundary extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    reportError(error)
  }

  override render() {
    return this.state.hasFailed ? <div data-failed="" /> : this.props.children
  }
}
