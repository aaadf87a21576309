import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { Dot, type Tone } from './Badge.tsx'
import { IconButton } from './IconButton.tsx'

type Message = { tone?: Tone; title: string; detail?: ReactNode }

const ToastContext = createContext<(message: Message) => void>(() => {})

/** Returns a function that shows a short message about what just happened. */
export const useToast = () => use(ToastContext)

/** Shows the messages of everything inside it, at the lower edge. Errors stay until they are closed. */
export const ToastProvider = ({ children }: { children: ReactNode }) => {
  const [messages, setMessages] = useState<readonly (Message & { id: string })[]>([])
  const show = useCallback((message: Message) => {
    setMessages((shown) => [...shown.slice(-2), { ...message, id: crypto.randomUUID?.() ?? String(performance.now()) }])
  }, [])
  const remove = (id: string) => setMessages((shown) => shown.filter((message) => message.id !== id))
  return (
    <ToastContext value={show}>
      <Toast.Provider swipeDirection="right" label="Message">
        {children}
        {messages.map(({ id, tone = 'good', title, detail }) => (
          <Toast.Root
            key={id}
            duration={tone === 'bad' ? 3_600_000 : 4_000}
            onOpenChange={(open) => !open && remove(id)}
            className="flex items-start gap-2.5 rounded-lg bg-surface py-2.5 pr-2 pl-3.5 shadow-float"
          >
            <span className="mt-1.5 flex">
              <Dot tone={tone} />
            </span>
            <div className="min-w-0 flex-1 py-0.5">
              <Toast.Title className="text-small font-medium">{title}</Toast.Title>
              {detail && <Toast.Description className="text-small text-muted">{detail}</Toast.Description>}
            </div>
            <Toast.Close asChild>
              <IconButton icon={X} label="Close" className="size-7" />
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2" />
      </Toast.Provider>
    </ToastContext>
  )
}
