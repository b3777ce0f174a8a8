"""Every error that tacenda raises on purpose.

    TacendaError ├── InputError (ValueError)      a document can't be read or isn't of the stated
    kind │   ├── LeakError                an output still contains a masked string │   └──
    UnknownNameError         a name isn't one of the choices ├── OutputError (OSError)        a
    result can't be written where it should be ├── PolicyError (ValueError)     the user's policy
    contradicts itself or names something that doesn't exist ├── ModelError (RuntimeError) shipped
    weights are missing, damaged or from another version │   └── UnknownModelError        no model
    has this name ├── ServiceError (ConnectionError) a network service gave no answer │ └──
    SearchError              a search engine or an index gave no answer ├── PluginError
    (ImportError)     a plug-in can't be loaded, or its name is taken └── MissingExtraError
    (ImportError)   an optional dependency isn't installed └── MissingLabError              the
    package tacenda-lab isn't installed

Each is also the built-in exception that a caller would expect. A message names the value, the place
and the remedy, and never contains text of a document, only offsets and span ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple

from .installation import install_command

DEBUG = "TACENDA_DEBUG"
"""Environment variable that shows the traceback of an unforeseen error."""
_SHOWN = 5


class TacendaError(Exception):
    """Base class of all errors in this package; all of them can be pickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(
    kind: type[TacendaError], args: tuple[object, ...], state: dict[str, object]
) -> TacendaError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class Remedy(NamedTuple):
    """Advice about an error that ends a message.

    Attributes:
        command: for the command line, naming an option.
        page: for the review application, which has no options.
    """

    command: str
    page: str


class Message(str):
    """A message that names options, with different wording for the review application."""

    __slots__ = ("page",)
    page: str

    def __new__(cls, command: str, page: str) -> Message:
        """Return the message for the command line and, as ``page``, for the application."""
        message = super().__new__(cls, command)
        message.page = page
        return message


AS_TEXT = Remedy("choose --to text", "save it as text instead")
AS_NEW_PDF = Remedy(
    "choose --to pdf for a new PDF of the text alone", 'save it as "PDF of the text" instead'
)
AS_JSON_LINES = Remedy("choose --to jsonl, which is written in UTF-8", AS_TEXT.page)
NAME_FORMAT = Remedy(
    "name the format with --from FORMAT",
    "give the file the extension of its format, such as .docx or .pdf",
)
NAME_ENCODING = Remedy(
    "if the text is in another encoding, name it with --encoding NAME (such as cp1252 or utf-16)",
    "open it in the program that wrote it, and save it as text in UTF-8",
)
NAME_FIELD = Remedy(
    "name the field that holds the text with --field NAME", "select the field that holds the text"
)
BY_POLICY = "give a policy for all with --fields: tacenda fields FILE -o POLICY proposes one"
NAME_COLUMNS = Remedy(
    f"name the columns that hold text with --column NAME, or {BY_POLICY}",
    "select the columns that hold text",
)
GIVE_FIELDS = Remedy(
    "name a field policy with --fields; tacenda fields FILE proposes one",
    "save the part to be sanitized as a table, such as .csv or .xlsx",
)


class InputError(TacendaError, ValueError):
    """A user's document, annotation or file can't be read, or isn't of the stated kind.

    Args:
        message: what is wrong; a complete sentence unless a remedy follows.
        document: name of the document or file at fault; empty if unknown.
        remedy: what to do about it, if that involves a command-line option.

    Attributes:
        document: name of the document or file at fault.
        page_message: the message for the review application.
    """

    def __init__(self, message: str, document: str = "", remedy: Remedy | None = None) -> None:
        place = f"{document}: " if document else ""
        endings = ("", "") if remedy is None else (f"; {remedy.command}.", f"; {remedy.page}.")
        super().__init__(f"{place}{message}{endings[0]}")
        self.document = document
        page = message.page if isinstance(message, Message) else message
        self.page_message = f"{place}{page}{endings[1]}"

    def of(self, document: str) -> InputError:
        """Return this error for another document or file."""
        place = f"{self.document}: "
        command, page = (text.removeprefix(place) for text in (str(self), self.page_message))
        return InputError(Message(command, page), document)


class LeakError(InputError):
    """A document's output still contains a masked string, so it isn't written.

    Attributes:
        places: where, by kind and number (``attribute 'href' of element 41``); never text.
        masked: the entities that can be seen there, by id and code points (``e3, code points
            40:52``).
    """

    def __init__(self, places: Sequence[str], document: str, masked: Sequence[str] = ()) -> None:
        of = f" (of {in_one_line(masked)})" if masked else ""
        super().__init__(
            f"masked strings would still be in the output: {in_one_line(places)}{of}. Nothing "
            "was written; mask or remove them there, or allow leaks.",
            document,
        )
        self.places = tuple(places)
        self.masked = tuple(masked)


def in_one_line(places: Sequence[str]) -> str:
    """Return the first of many places on one line, and how many more there are."""
    more = len(places) - _SHOWN
    return "; ".join(places[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")


class UnknownNameError(InputError):
    """A name given by the user isn't one of the choices, which the message lists."""


class OutputError(TacendaError, OSError):
    """A result can't be written to its destination; an existing file there isn't changed.

    Attributes:
        errno, strerror: those of the operating system's error; None if there was none.
    """

    def __init__(self, message: str, place: str = "", cause: OSError | None = None) -> None:
        self._message = f"{place}: {message}" if place else message
        super().__init__(self._message)
        if cause is not None:
            self.errno, self.strerror = cause.errno, cause.strerror

    def __str__(self) -> str:
        return self._message


class PolicyError(TacendaError, ValueError):
    """A policy contradicts itself or names something that doesn't exist."""


class ModelError(TacendaError, RuntimeError):
    """A model is missing, damaged or from another version of this package."""


class UnknownModelError(ModelError):
    """No model has this name; the message lists all names."""


class ServiceError(TacendaError, ConnectionError):
    """A network service gave no answer; the message contains neither the request nor a key.

    Attributes:
        status: the HTTP status if the service refused, otherwise 0.
    """

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class SearchError(ServiceError):
    """A search engine or an index of background knowledge gave no answer to a query."""


class PluginError(TacendaError, ImportError):
    """A plug-in from another package can't be loaded, or its name is taken."""


class MissingExtraError(TacendaError, ImportError):
    """A feature needs an optional dependency; the message names the extra to install."""

    def __init__(self, feature: str, extra: str, package: str = "tacenda") -> None:
        super().__init__(f"{feature} needs an extra: {install_command(extra, package)}")
        self.extra = extra


def require_extra(extra: str, feature: str, *modules: str) -> None:
    """Check that an extra is installed.

    Args:
        extra: name of the extra.
        feature: what needs it.
        modules: the modules that it provides.

    Raises:
        MissingExtraError: if one of the modules is missing.
    """
    from importlib.util import find_spec

    if not all(map(find_spec, modules)):
        raise MissingExtraError(feature, extra)


class MissingLabError(MissingExtraError):
    """A feature needs the recipes and experiments in ``tacenda-lab``."""

    def __init__(self, feature: str) -> None:
        ImportError.__init__(
            self, f"{feature} needs a package: {install_command(package='tacenda-lab')}"
        )
        self.extra = "lab"


def unforeseen(error: Exception, document: str = "") -> InputError:
    """Return an error for an unexpected exception, with only its type and place, since its message may quote text.

    Args:
        error: the caught exception, with its traceback.
        document: name of the document or file at fault; empty if unknown.
    """
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    if isinstance(cause, ModuleNotFoundError) and cause.name:
        package = cause.name.partition(".")[0]
        return InputError(
            f"needs the package {package}, which is not installed; `tacenda doctor` shows what to install.",
            document,
        )
    return InputError(
        f"unforeseen error: {type(cause).__name__} in {_place(error.__traceback__)}. Please report it; "
        f"{DEBUG}=1 shows the traceback, which may hold text of documents.",
        document,
    )


def _place(trace: TracebackType | None) -> str:
    """Return the innermost place in this package."""
    package = __name__.partition(".")[0]
    place = package
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] == package:
            place = f"{module}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
