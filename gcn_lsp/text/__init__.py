"""Lines, places in them, edits, and the one converter of positions; knows nothing of assembly."""

from gcn_lsp.text.edits import LineEnds as LineEnds
from gcn_lsp.text.edits import edited as edited
from gcn_lsp.text.encoding import json_bytes as json_bytes
from gcn_lsp.text.location import Location as Location
from gcn_lsp.text.location import TextEdit as TextEdit
from gcn_lsp.text.message import Message as Message
from gcn_lsp.text.message import OfTarget as OfTarget
from gcn_lsp.text.message import Text as Text
from gcn_lsp.text.message import joined as joined
from gcn_lsp.text.message import mapped as mapped
from gcn_lsp.text.message import message as message
from gcn_lsp.text.message import rendered as rendered
from gcn_lsp.text.message import without_targets as without_targets
from gcn_lsp.text.position import PositionEncoding as PositionEncoding
from gcn_lsp.text.position import byte_to_column as byte_to_column
from gcn_lsp.text.position import character_end as character_end
from gcn_lsp.text.position import column_to_byte as column_to_byte
from gcn_lsp.text.source import SourceText as SourceText
from gcn_lsp.text.source import split_lines as split_lines
from gcn_lsp.text.unchanged import UnchangedLines as UnchangedLines
from gcn_lsp.text.unchanged import common as common
from gcn_lsp.text.writing import replace_file as replace_file
