# SPDX-License-Identifier: GPL-2.0-or-later
"""As much of simpy 4 as RFold's simulation needs, where no package of it is at hand: events in the
order of their time, of urgency (starts of processes and interruptions first), and of their making.

Unlike simpy's, run() ends when nothing is left to happen: a trace that is replayed whole leaves the
scheduler waiting for a job that never comes."""
import heapq
import itertools
import sys

URGENT, NORMAL = 0, 1


class Interrupt(Exception):
    pass


class Event:
    def __init__(self, env):
        self.env, self.callbacks, self.value = env, [], None

    def succeed(self, value=None, delay=0, priority=NORMAL):
        self.value = value
        self.env.schedule(self, delay, priority)
        return self

    def __or__(self, other):
        return AnyOf(self.env, (self, other))


class AnyOf(Event):
    def __init__(self, env, events):
        super().__init__(env)
        self.done = False
        for event in events:
            event.callbacks.append(self.first)

    def first(self, _):
        if not self.done:
            self.done = True
            self.succeed()


class Timeout(Event):
    def __init__(self, env, delay):
        if delay < 0:
            raise ValueError("negative delay")
        super().__init__(env)
        self.succeed(delay=delay)


class Process(Event):
    """A generator; it waits for what it yields, and is an event that happens when it returns."""

    def __init__(self, env, generator):
        super().__init__(env)
        self.generator, self.target, self.alive = generator, None, True
        self.wake(self.resume)

    def wake(self, callback):
        event = Event(self.env)
        event.callbacks.append(callback)
        event.succeed(priority=URGENT)

    def interrupt(self):
        self.wake(self.interrupted)

    def interrupted(self, _):
        if not self.alive:
            return
        if self.target.callbacks is not None and self.resume in self.target.callbacks:
            self.target.callbacks.remove(self.resume)
        self.step(self.generator.throw, Interrupt())

    def resume(self, event):
        self.step(self.generator.send, event.value)

    def step(self, advance, what):
        try:
            self.target = advance(what)
        except StopIteration as end:
            self.alive = False
            self.succeed(end.value)
            return
        if self.target.callbacks is None:  # happened already
            self.wake(lambda _: self.resume(self.target))
        else:
            self.target.callbacks.append(self.resume)


class Environment:
    def __init__(self):
        self.now, self.heap, self.number = 0, [], itertools.count()

    def schedule(self, event, delay, priority):
        heapq.heappush(self.heap, (self.now + delay, priority, next(self.number), event))

    def event(self):
        return Event(self)

    def timeout(self, delay):
        return Timeout(self, delay)

    def process(self, generator):
        return Process(self, generator)

    def run(self, until):
        while self.heap and until.callbacks is not None:
            self.now, _, _, event = heapq.heappop(self.heap)
            callbacks, event.callbacks = event.callbacks, None
            for callback in callbacks:
                callback(event)


# simpy.core.Environment and simpy.events.Event are the same classes.
core = events = sys.modules[__name__]
