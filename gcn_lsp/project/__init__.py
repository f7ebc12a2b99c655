"""What a file's project says about it: target, defined symbols, include paths, rules; start at `load`.

Both shells use this layer, so that the editor and the command line
never differ in what they take a file for. It is the only package below `server` and `cli` that reads files:
configuration files, compile commands and included files lie where the kernel lies, and finding them belongs to
neither an editor protocol nor a command line. It never writes, runs programs or reads the environment.
"""

from gcn_lsp.project.files import Files as Files
from gcn_lsp.project.files import Unreadable as Unreadable
from gcn_lsp.project.settings import Settings as Settings
from gcn_lsp.project.setup import FileSetup as FileSetup
from gcn_lsp.project.setup import Surroundings as Surroundings
from gcn_lsp.project.setup import load as load
from gcn_lsp.project.setup import set_up as set_up
from gcn_lsp.project.setup import surroundings as surroundings
from gcn_lsp.project.target_choice import TargetChoice as TargetChoice
from gcn_lsp.project.target_choice import may_matter as may_matter
from gcn_lsp.project.target_hints import TargetHints as TargetHints
